import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { Settings } from '@tidegate/contract'
import ipaddr from 'ipaddr.js'

type ProxySettings = Pick<Settings, 'ReverseProxyEnabled' | 'ReverseProxyProvider'>
type Peer = Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string } }

export interface ClientAddress {
  readonly address: string
  /** False when a proxy whose word is not taken passed the request on: then anybody may stand behind the address. */
  readonly certain: boolean
}

/**
 * The one answer to "who is calling" for limits, allow-lists, checks and logs. A forwarding header is believed only when
 * the peer is a trusted proxy; otherwise any caller could choose its own address.
 */
export function createClientAddress(trustedProxies: readonly string[] | undefined) {
  const listed = trustedProxies && addressList(trustedProxies)
  return (request: Peer, settings: ProxySettings): ClientAddress => {
    const peer = plainAddress(request.socket.remoteAddress ?? '')
    const isTrusted = listed
      ? (address: string) => contains(listed, address)
      : (address: string) => settings.ReverseProxyEnabled && isPrivateAddress(address)
    const forwarded = FORWARDING_HEADERS.some((name) => name in request.headers)
    if (!forwarded || !isTrusted(peer)) return { address: peer, certain: !forwarded }
    return { address: forwardedAddress(request, settings, isTrusted) ?? peer, certain: true }
  }
}

const FORWARDING_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip']

/** Loopback, link-local and the private ranges: somebody on this machine or network. */
export function isPrivateAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  return ['loopback', 'private', 'linkLocal', 'uniqueLocal'].includes(ipaddr.process(address).range())
}

function forwardedAddress({ headers }: Peer, settings: ProxySettings, isTrusted: (address: string) => boolean) {
  if (settings.ReverseProxyProvider === 'cloudflare') {
    const connecting = plainAddress(firstText(headers['cf-connecting-ip']))
    if (isIP(connecting)) return connecting
  }
  // Right to left: each hop was written by the one after it, so the first hop that is not ours is the caller.
  const hops = firstText(headers['x-forwarded-for']).split(',').map(plainAddress).filter(isIP)
  const caller = hops.findLast((hop) => !isTrusted(hop)) ?? hops[0]
  if (caller) return caller
  const real = plainAddress(firstText(headers['x-real-ip']))
  return isIP(real) ? real : undefined
}

/** Without surrounding space, and `::ffff:1.2.3.4` as the 1.2.3.4 it is. */
function plainAddress(text: string): string {
  return text.trim().replace(/^::ffff:(?=\d+\.)/i, '')
}

function firstText(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header.join(',') : header) ?? ''
}

function addressList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.trim().split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

function contains(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
