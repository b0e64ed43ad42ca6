import { lookup as resolve, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, setGlobalDispatcher } from 'undici'
import { EgressError, isEgressAllowed, canBeAllowed, setEgressList } from './egress.ts'

export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
  readonly code = 'PRIVATE_ADDRESS'
}

/** Looks like the open internet, and is the host of a rented machine: what it serves is for that machine alone. */
const CLOUD_METADATA_ADDRESSES = new Set(['168.63.129.16'])
/** Names that no public server answers to. */
const INTERNAL_NAME = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/
/** Longer than names and their parts may be, or with a part that is blank. */
const INVALID_NAME = /^.{254}|[^.]{64}|^\.|\.\.|\.$/

/** An address of the open internet: not this machine, not a private network, not a range with another purpose. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast' || CLOUD_METADATA_ADDRESSES.has(parsed.toString())) return false
  // Of the sixth version only 2000::/3 is given out; old forms such as ::7f00:1 hide an address of the fourth.
  return parsed instanceof ipaddr.IPv4 || (parsed.parts[0]! & 0xe000) === 0x2000
}

/**
 * A host, as in a parsed address, that is no place on the open internet whoever looks it up. Others are checked when they
 * are dialled.
 */
export function leadsInside(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return !isPublicAddress(host)
  return INTERNAL_NAME.test(host) || !host.includes('.') || INVALID_NAME.test(host)
}

interface Guard {
  readonly allowPrivateAddresses: boolean
}

/**
 * Opens connections only to public addresses, unless private ones are allowed, and only to what the egress allow list of
 * the process contains. The check is made on the addresses about to be dialled, so a name that resolves to something else
 * a moment later cannot slip through.
 */
export function guardedConnector({ timeoutMs, ...guard }: Guard & { timeoutMs: number }) {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false, lookup: guardedLookup(guard) })
  const guarded: typeof connect = (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '')
    // A literal address is dialled without being looked up.
    const error = isIP(host) === 0 ? nameError(host) : addressError(guard, host, host)
    if (error) queueMicrotask(() => callback(error, null))
    else connect(target, callback)
  }
  return guarded
}

/** A name that cannot be allowed is not looked up: a query would already tell something to whoever answers it. */
function nameError(host: string): Error | undefined {
  return canBeAllowed(host) ? undefined : new EgressError(host)
}

/** Why an address must not be dialled for a host. */
function addressError({ allowPrivateAddresses }: Guard, host: string, address: string): Error | undefined {
  if (!allowPrivateAddresses && !isPublicAddress(address)) {
    return new PrivateAddressError(
      host === address ? `${host} is not a public address` : `${host} has no public address`,
    )
  }
  return isEgressAllowed(host, address) ? undefined : new EgressError(host)
}

/** Looks a name up and leaves out what must not be dialled, so that whoever dials has nothing else to choose from. */
export function guardedLookup(guard: Guard, lookUp: typeof resolve = resolve): LookupFunction {
  return (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const open = error ? [] : addresses.filter(({ address }) => !addressError(guard, hostname, address))
      const [first] = open
      if (error) callback(error, '', 0)
      else if (!first)
        callback(addressError(guard, hostname, addresses[0]?.address ?? '') ?? new EgressError(hostname), '', 0)
      else if (options.all) callback(null, open)
      else callback(null, first.address, first.family)
    })
  }
}

const CONNECT_MS = 10_000

/**
 * Limits every connection of this process to an allow list, but for those to the database and to Redis: upstream clients
 * check it in their connector, and `fetch`, which sign-in and payment services use, gets such a connector here.
 */
export function limitEgress(entries: readonly string[] | undefined): void {
  setEgressList(entries)
  if (entries === undefined) return
  setGlobalDispatcher(new Agent({ connect: guardedConnector({ timeoutMs: CONNECT_MS, allowPrivateAddresses: true }) }))
}
