import { isIP } from 'node:net'
import type { Check } from '@tidegate/storage'
import ipaddr from 'ipaddr.js'

/** A home or a server has a whole /64, and a site often a /48: single addresses of them are free to choose. */
const HOST_BITS = 64
const SITE_BITS = 48
const SITE_FACTOR = 10

/** The limits of a client for one purpose: of its IPv4 address, or of its IPv6 /64 and, ten times as high, its /48. */
export function addressLimits(purpose: string, clientIp: string, limit: Omit<Check, 'key'>): Check[] {
  const host = { key: `${purpose}:${limitedNetwork(clientIp)}`, ...limit }
  if (isIP(clientIp) !== 6) return [host]
  return [host, { ...host, key: `${purpose}:${networkOf(clientIp, SITE_BITS)}`, limit: limit.limit * SITE_FACTOR }]
}

/** What is counted as one client: an IPv4 address, or the /64 of an IPv6 address. */
export function limitedNetwork(clientIp: string): string {
  return isIP(clientIp) === 6 ? networkOf(clientIp, HOST_BITS) : clientIp
}

function networkOf(address: string, bits: number): string {
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`
}
