import { ApiError, ROLES } from '@tidegate/contract'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import type { Actor } from './actor.ts'

/** A link or a picture on another page sends a GET too. Programs that are no browser do not send the header. */
export function requireSameOrigin(request: Pick<FastifyRequest, 'headers'>): void {
  const from = request.headers['sec-fetch-site']
  if (from !== undefined && from !== 'same-origin') throw new ApiError('cross_site_refused')
}

/** A GET that sends a mail could otherwise be an image on a page of somebody else. */
export function rejectCrossSite(request: Pick<FastifyRequest, 'headers'>): void {
  if (request.headers['sec-fetch-site'] === 'cross-site') throw new ApiError('cross_site_refused')
}

export function rejectOnDemoSite({ catalog }: Pick<Deps, 'catalog'>, { role }: Pick<Actor, 'role'>): void {
  if (role < ROLES.root && catalog().settings.DemoSiteEnabled) throw new ApiError('demo_site')
}
