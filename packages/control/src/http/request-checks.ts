import { ApiError, ROLES } from '@tidegate/contract'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import type { Actor } from './actor.ts'

/** Links and images on other pages also send GET requests. Programs do not send this header. */
export function requireSameOrigin(request: Pick<FastifyRequest, 'headers'>): void {
  const from = request.headers['sec-fetch-site']
  if (from !== undefined && from !== 'same-origin') throw new ApiError('cross_site_refused')
}

/** Prevents other pages from triggering a mail by an image. */
export function rejectCrossSite(request: Pick<FastifyRequest, 'headers'>): void {
  if (request.headers['sec-fetch-site'] === 'cross-site') throw new ApiError('cross_site_refused')
}

export function rejectOnDemoSite({ catalog }: Pick<Deps, 'catalog'>, { role }: Pick<Actor, 'role'>): void {
  if (role < ROLES.root && catalog().settings.DemoSiteEnabled) throw new ApiError('demo_site')
}
