import { ApiError, errorMessage, logEvent } from '@tidegate/contract'
import { LogStoreUnavailable } from '@tidegate/storage'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { requestLanguage } from './read-request.ts'

/** Renders errors as the envelope in the caller's language. Foreign error messages are never sent. */
export function renderError({ log, catalog }: Pick<Deps, 'log' | 'catalog'>) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const apiError = toApiError(error)
    if (apiError.status >= 500) {
      logEvent(log, 'api.request_failed', {
        err: apiError.cause ?? error,
        requestId: request.id,
        method: request.method,
        path: request.url.split('?')[0],
      })
    }
    const language = requestLanguage({ catalog }, request)
    if (apiError.retryAfterSeconds !== undefined)
      void reply.header('Retry-After', Math.ceil(apiError.retryAfterSeconds))
    return reply.code(apiError.status).send({
      success: false,
      message: errorMessage(apiError.code, language, apiError.details),
      code: apiError.code,
      ...(apiError.data === undefined ? {} : { data: apiError.data }),
    })
  }
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof z.ZodError) return fromZod(error)
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError('body_too_large')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ApiError('unsupported_media_type')
  if (error instanceof SyntaxError || statusCode === 400) return new ApiError('invalid_json')
  // Text that PostgreSQL cannot store, such as NUL, and no validation caught.
  if (code === '22021') return new ApiError('invalid_params')
  if (error instanceof LogStoreUnavailable) return new ApiError('log_store_unavailable', {}, { cause: error })
  return new ApiError('internal_error', {}, { cause: error })
}

function fromZod(error: z.ZodError): ApiError {
  const issue = error.issues[0]
  const field = issue?.path.join('.') ?? ''
  return field === '' ? new ApiError('invalid_params') : new ApiError('invalid_input', { field })
}

interface RegisteredRoute {
  readonly methods: readonly string[]
  readonly path: RegExp
}

/** Collects the routes that are registered from here on. */
export function collectRoutes(app: FastifyInstance): RegisteredRoute[] {
  const routes: RegisteredRoute[] = []
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
 * Returns 405 with `Allow` for a known path, otherwise 404. Runs before the body is read, so the content type does not
 * matter.
 */
export function rejectUnknownRequest(routes: readonly RegisteredRoute[]) {
  return async ({ method, url }: FastifyRequest, reply: FastifyReply): Promise<never> => {
    const path = pathOf(url)
    const matching = routes.filter((route) => route.path.test(path)).flatMap(({ methods }) => methods)
    const allowed = [...new Set(matching)].toSorted().join(', ')
    // The router does not match segments that are too long.
    if (allowed === '' || matching.includes(method)) throw new ApiError('not_found', { method, path })
    void reply.header('Allow', allowed)
    throw new ApiError('method_not_allowed', { method, path, allowed })
  }
}

/** For router errors: a path that cannot be decoded or has a segment that is too long. */
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
