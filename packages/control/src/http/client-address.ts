import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Settings } from '@tidegate/contract'
import ipaddr from 'ipaddr.js'
import { addressList, isListed, normalizeAddress, readHop } from './ip-address.ts'

type ProxySettings = Pick<Settings, 'ReverseProxyEnabled' | 'ReverseProxyProvider'>
type Peer = Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string } }

/**
 * The client address for limits, allow lists, checks and logs, in one spelling. A forwarding header is believed only when
 * the peer is a trusted proxy; otherwise any caller could choose its own address.
 */
export function createClientAddress(trustedProxies: readonly string[] | undefined) {
  const isProxy = createProxyCheck(trustedProxies)
  return (request: Peer, settings: ProxySettings): string => {
    const peer = peerOf(request)
    if (!ADDRESS_HEADERS.some((name) => name in request.headers)) return peer
    const isTrusted = (address: string) => isProxy(address, settings)
    return isTrusted(peer) ? (forwardedAddress(request, settings, isTrusted) ?? peer) : peer
  }
}

function createProxyCheck(trustedProxies: readonly string[] | undefined) {
  const listed = trustedProxies && addressList(trustedProxies)
  return (address: string, { ReverseProxyEnabled }: ProxySettings): boolean =>
    listed ? isListed(listed, address) : ReverseProxyEnabled && isPrivateAddress(address)
}

/** Whether a request was sent by a trusted proxy, whose headers are believed. */
export function createTrustCheck(trustedProxies: readonly string[] | undefined) {
  const isProxy = createProxyCheck(trustedProxies)
  return (request: Peer, settings: ProxySettings): boolean => isProxy(peerOf(request), settings)
}

const ADDRESS_HEADERS = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip']

/** Loopback, link-local and the private ranges. */
export function isPrivateAddress(address: string): boolean {
  return ['loopback', 'private', 'linkLocal', 'uniqueLocal'].includes(rangeOf(address))
}

/**
 * Whether a request was certainly sent on this machine: from a loopback address, through no proxy, and to a loopback name,
 * so that a page cannot send it by pointing its own name at this machine.
 */
export function isFromThisMachine(request: Peer): boolean {
  if (rangeOf(peerOf(request)) !== 'loopback') return false
  if (Object.keys(request.headers).some((name) => PROXY_HEADERS.test(name))) return false
  const host = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return host === 'localhost' || host.endsWith('.localhost') || rangeOf(host) === 'loopback'
}

const PROXY_HEADERS = /^(x-forwarded.*|forwarded|via|x-real-ip|.*-(client|connecting)-ip|x-envoy-.*)$/

function peerOf({ socket }: Peer): string {
  return normalizeAddress(socket.remoteAddress ?? '') ?? ''
}

function rangeOf(address: string): string {
  return isIP(address) === 0 ? '' : ipaddr.process(address).range()
}

/** Undefined when the proxy sends no address, or an unreadable one. */
function forwardedAddress({ headers }: Peer, settings: ProxySettings, isTrusted: (address: string) => boolean) {
  if (settings.ReverseProxyProvider === 'cloudflare') {
    const connecting = readHop(asText(headers['cf-connecting-ip']))
    if (connecting !== undefined) return connecting
  }
  // A proxy that writes X-Forwarded-For may pass on the X-Real-IP of its client.
  if (headers['x-forwarded-for'] === undefined) return readHop(asText(headers['x-real-ip']))
  // Right to left: each hop was written by the one after it, so the first hop that is not ours is the client. Whatever
  // stands before a hop that cannot be read was written by a stranger.
  const hops = asText(headers['x-forwarded-for']).split(',')
  let address: string | undefined
  do {
    address = readHop(hops.pop()!)
  } while (address !== undefined && hops.length > 0 && isTrusted(address))
  return address
}

function asText(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header.join(',') : header) ?? ''
}
