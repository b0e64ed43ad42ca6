import { isIP } from 'node:net'
import { ApiError, type Endpoint } from '@tidegate/contract'
import type { Budget } from '@tidegate/storage'
import ipaddr from 'ipaddr.js'
import type { Deps } from '../deps.ts'
import type { Origin } from './actor.ts'

/** Error for an exceeded rate limit. */
export function rateLimitError(retryAfterSeconds: number): ApiError {
  return new ApiError('rate_limited', { seconds: Math.ceil(retryAfterSeconds) }, { retryAfterSeconds })
}

/** Protects credentials and mail: one limit per address and purpose. */
export async function takeCriticalLimit(
  { limiter }: Pick<Deps, 'limiter'>,
  endpoint: Endpoint,
  origin: Origin,
): Promise<void> {
  const taken = await limiter.take(criticalLimits(endpoint, origin))
  if (!taken.allowed) throw rateLimitError(taken.retryAfterSeconds)
}

/** For successful requests: an office behind one address may log in at the same time. */
export async function restoreCriticalLimit(
  { limiter }: Pick<Deps, 'limiter'>,
  endpoints: readonly Endpoint[],
  origin: Origin,
): Promise<void> {
  await limiter.refund(endpoints.flatMap((endpoint) => criticalLimits(endpoint, origin)))
}

function criticalLimits({ path }: Endpoint, { clientIp }: Origin): Budget[] {
  return addressLimits(`critical:${path}`, clientIp, { limit: 20, windowSeconds: 1200 })
}

/** A home or server has a /64 and a site often a /48, so single IPv6 addresses can be chosen freely. */
const HOST_BITS = 64
const SITE_BITS = 48
const SITE_FACTOR = 10

/** Limits of a client for one purpose: its IPv4 address, or its IPv6 /64 and, ten times higher, its /48. */
export function addressLimits(purpose: string, clientIp: string, limit: Omit<Budget, 'key'>): Budget[] {
  const host = { key: `${purpose}:${limitedNetwork(clientIp)}`, ...limit }
  if (isIP(clientIp) !== 6) return [host]
  return [host, { ...host, key: `${purpose}:${networkOf(clientIp, SITE_BITS)}`, limit: limit.limit * SITE_FACTOR }]
}

/** The unit that counts as one client: an IPv4 address, or the /64 of an IPv6 address. */
export function limitedNetwork(clientIp: string): string {
  return isIP(clientIp) === 6 ? networkOf(clientIp, HOST_BITS) : clientIp
}

function networkOf(address: string, bits: number): string {
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`
}
