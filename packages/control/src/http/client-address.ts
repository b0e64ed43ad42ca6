import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, SocketAddress } from 'node:net'
import type { Settings } from '@tidegate/contract'
import ipaddr from 'ipaddr.js'

type ProxySettings = Pick<Settings, 'ReverseProxyEnabled' | 'ReverseProxyProvider'>
type Peer = Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string } }

/**
 * Returns the normalized client address for limits, allow lists and logs. Forwarding headers count only from trusted
 * proxies; otherwise clients could choose their address.
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

/** Whether a trusted proxy sent the request. */
function createTrustCheck(trustedProxies: readonly string[] | undefined) {
  const isProxy = createProxyCheck(trustedProxies)
  return (request: Peer, settings: ProxySettings): boolean => isProxy(peerOf(request), settings)
}

const ADDRESS_HEADERS = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip']

/** Loopback, link-local and the private ranges. */
export function isPrivateAddress(address: string): boolean {
  return ['loopback', 'private', 'linkLocal', 'uniqueLocal'].includes(rangeOf(address))
}

/**
 * Whether a request was sent from this machine: from a loopback address, without a proxy, and to a loopback name, so
 * that no page can send it by DNS rebinding.
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

/** Undefined when the proxy sends no valid address. */
function forwardedAddress({ headers }: Peer, settings: ProxySettings, isTrusted: (address: string) => boolean) {
  if (settings.ReverseProxyProvider === 'cloudflare') {
    const connecting = readHop(asText(headers['cf-connecting-ip']))
    if (connecting !== undefined) return connecting
  }
  // A proxy that writes X-Forwarded-For may forward the X-Real-IP of its client.
  if (headers['x-forwarded-for'] === undefined) return readHop(asText(headers['x-real-ip']))
  // Right to left: each hop was written by the one after it, so the first untrusted hop is the client. Hops before an
  // unreadable one are not trusted.
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

/** Normalizes an address: short lower-case IPv6 without a zone, mapped IPv4 as IPv4. */
function normalizeAddress(text: string): string | undefined {
  const family = isIP(text)
  if (family !== 6) return family === 4 ? text : undefined
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  return address.startsWith(MAPPED) && address.includes('.') ? address.slice(MAPPED.length) : address
}

const MAPPED = '::ffff:'

/** Reads an address as proxies write it, with or without port and brackets. */
function readHop(text: string): string | undefined {
  const hop = text.trim()
  const [, address = hop] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(hop) ?? /^([\d.]+):\d{1,5}$/.exec(hop) ?? []
  return normalizeAddress(address)
}

/** Addresses and ranges, compared by value. */
export function addressList(lines: readonly string[]): BlockList {
  const list = new BlockList()
  for (const line of lines) {
    const [address = '', bits] = line.trim().split('/')
    if (isIP(address) === 0) continue
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

export function isListed(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

type IsTrusted = ReturnType<typeof createTrustCheck>
type SecureSettings = Parameters<IsTrusted>[1] & Pick<Settings, 'ServerAddress'>

/** Whether the browser uses https, by the site address or a trusted proxy. */
export function createSecureCheck(trustedProxies: readonly string[] | undefined) {
  const isFromProxy = createTrustCheck(trustedProxies)
  return (request: Parameters<IsTrusted>[0], settings: SecureSettings): boolean => {
    if (settings.ServerAddress.startsWith('https://')) return true
    const [protocol = ''] = String(request.headers['x-forwarded-proto'] ?? '').split(',')
    return protocol.trim().toLowerCase() === 'https' && isFromProxy(request, settings)
  }
}
