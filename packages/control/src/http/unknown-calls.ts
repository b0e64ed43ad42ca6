import { ApiError } from '@tidegate/contract'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { renderError } from './render-error.ts'

interface ServedRoute {
  readonly methods: readonly string[]
  readonly path: RegExp
}

/** Collects the routes that are registered from here on. */
export function collectRoutes(app: FastifyInstance): ServedRoute[] {
  const routes: ServedRoute[] = []
  app.addHook('onRoute', ({ method, url }) => {
    if (url.startsWith('/api/') && !url.endsWith('*')) routes.push({ methods: [method].flat(), path: patternOf(url) })
  })
  return routes
}

/** `:name(expression)` of a route matches one path segment. */
function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    const expression = /^:\w+\(\^(.+)\$\)$/.exec(segment)?.[1]
    return expression ?? segment.replaceAll('.', '\\.')
  })
  return new RegExp(`^${segments.join('/')}/?$`)
}

/**
 * A hook that answers what no route serves: 405 with `Allow` for a known path, otherwise 404. It runs before the body is
 * read, so that the type of the body does not matter.
 */
export function rejectUnknownCall(routes: readonly ServedRoute[]) {
  return async ({ method, url }: FastifyRequest, reply: FastifyReply): Promise<never> => {
    const path = pathOf(url)
    const matching = routes.filter((route) => route.path.test(path)).flatMap(({ methods }) => methods)
    const allowed = [...new Set(matching)].toSorted().join(', ')
    // The router does not match a segment that is too long.
    if (allowed === '' || matching.includes(method)) throw new ApiError('not_found', { method, path })
    void reply.header('Allow', allowed)
    throw new ApiError('method_not_allowed', { method, path, allowed })
  }
}

/** For errors of the router itself: a path that it cannot decode, or a segment that is too long, names nothing. */
export function renderRouterError(deps: Pick<Deps, 'log' | 'catalog'>) {
  const render = renderError(deps)
  return (_error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const { method, url } = request
    void render(new ApiError('not_found', { method, path: pathOf(url) }), request, reply)
  }
}

function pathOf(url: string): string {
  return url.split('?')[0]!
}
