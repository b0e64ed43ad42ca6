import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { isAddressOrRange } from '@tidegate/contract'

/** The host is not in the egress allow list of this process. */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly code = 'EGRESS_NOT_ALLOWED'
  readonly host: string

  constructor(host: string) {
    super(`${host} is not in the egress allow list`)
    this.host = host
  }
}

interface EgressList {
  readonly names: ReadonlySet<string>
  /** `.example.com` for `*.example.com`. */
  readonly suffixes: readonly string[]
  readonly ranges: BlockList
  readonly hasRanges: boolean
}

/** Global for the process, so that no connection can bypass it by mistake. */
let list: EgressList | undefined

/** Limits this process to these host names, `*.` wildcards, addresses and ranges; undefined removes the limit. */
export function setEgressList(entries: readonly string[] | undefined): void {
  list = entries && parseList(entries)
}

const HOST = /^(\*\.)?(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i

export function isEgressEntry(text: string): boolean {
  return isAddressOrRange(text) || HOST.test(text)
}

function parseList(entries: readonly string[]): EgressList {
  const [ranges, hosts] = [entries.filter(isAddressOrRange), entries.filter((entry) => !isAddressOrRange(entry))]
  const blocks = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    if (bits === undefined) blocks.addAddress(address, familyOf(address))
    else blocks.addSubnet(address, Number(bits), familyOf(address))
  }
  const isWild = (host: string) => host.startsWith('*.')
  return {
    names: new Set(hosts.filter((host) => !isWild(host)).map(plainHost)),
    suffixes: hosts.filter(isWild).map((host) => plainHost(host.slice(1))),
    ranges: blocks,
    hasRanges: ranges.length > 0,
  }
}

/** Whether this address may be connected to for this host. */
export function isEgressAllowed(host: string, address: string): boolean {
  return list === undefined || hasName(list, host) || hasAddress(list, address)
}

/** Whether a host can be allowed at all; if not, it is not even resolved. */
export function canBeAllowed(host: string): boolean {
  if (list === undefined || hasName(list, host)) return true
  return isIP(plainHost(host)) === 0 ? list.hasRanges : hasAddress(list, plainHost(host))
}

/** For hosts that a proxy or a worker resolves: only the name or a literal address can be checked. */
export function isEgressAllowedUnresolved(host: string): boolean {
  const plain = plainHost(host)
  return list === undefined || hasName(list, plain) || hasAddress(list, plain)
}

export function requireEgressUnresolved(address: string): void {
  const host = URL.parse(address)?.hostname ?? ''
  if (!isEgressAllowedUnresolved(host)) throw new EgressError(host)
}

/**
 * The address to connect to: the host itself, or one of its addresses if only the address is allowed. Throws an
 * EgressError if neither is.
 */
export async function resolveEgress(host: string): Promise<string> {
  if (isEgressAllowedUnresolved(host)) return host
  const addresses = canBeAllowed(host) ? await lookup(plainHost(host), { all: true }).catch(() => []) : []
  const allowed = addresses.find(({ address }) => isEgressAllowed(host, address))
  if (!allowed) throw new EgressError(host)
  return allowed.address
}

function hasName({ names, suffixes }: EgressList, host: string): boolean {
  const plain = plainHost(host)
  return names.has(plain) || (isIP(plain) === 0 && suffixes.some((suffix) => plain.endsWith(suffix)))
}

function hasAddress({ ranges }: EgressList, address: string): boolean {
  return isIP(address) !== 0 && ranges.check(address, familyOf(address))
}

function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
