import { lookup as resolve, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, setGlobalDispatcher } from 'undici'
import { EgressError, isEgressAllowed, canBeAllowed, setEgressList } from './egress.ts'

export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
  readonly code = 'PRIVATE_ADDRESS'
}

/** A public address that serves the metadata of cloud machines. */
const CLOUD_METADATA_ADDRESSES = new Set(['168.63.129.16'])
/** Names that are never public. */
const INTERNAL_NAME = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/
/** Names or labels that are too long, and empty labels. */
const INVALID_NAME = /^.{254}|[^.]{64}|^\.|\.\.|\.$/

/** Whether an address is public: not this machine, a private network or a reserved range. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast' || CLOUD_METADATA_ADDRESSES.has(parsed.toString())) return false
  // Only 2000::/3 is allocated in IPv6; other forms such as ::7f00:1 can hide an IPv4 address.
  return parsed instanceof ipaddr.IPv4 || (parsed.parts[0]! & 0xe000) === 0x2000
}

/** Whether a host can never be public, on any resolver. Other hosts are checked when they are connected to. */
export function isInternalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return !isPublicAddress(host)
  return INTERNAL_NAME.test(host) || !host.includes('.') || INVALID_NAME.test(host)
}

interface Guard {
  readonly allowPrivateAddresses: boolean
}

/**
 * Connects only to public addresses, unless private ones are allowed, and only to what the egress allow list contains.
 * The check uses the resolved addresses, so a name that changes between check and connection cannot bypass it.
 */
export function guardedConnector({ timeoutMs, ...guard }: Guard & { timeoutMs: number }) {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false, lookup: guardedLookup(guard) })
  const guarded: typeof connect = (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '')
    // A literal address is not resolved.
    const error = isIP(host) === 0 ? nameError(host) : addressError(guard, host, host)
    if (error) queueMicrotask(() => callback(error, null))
    else connect(target, callback)
  }
  return guarded
}

/** A name that cannot be allowed is not resolved: the query itself would leak information. */
function nameError(host: string): Error | undefined {
  return canBeAllowed(host) ? undefined : new EgressError(host)
}

/** Why an address must not be connected to. */
function addressError({ allowPrivateAddresses }: Guard, host: string, address: string): Error | undefined {
  if (!allowPrivateAddresses && !isPublicAddress(address)) {
    return new PrivateAddressError(
      host === address ? `${host} is not a public address` : `${host} has no public address`,
    )
  }
  return isEgressAllowed(host, address) ? undefined : new EgressError(host)
}

/** Resolves a name and removes addresses that must not be connected to. */
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
 * Limits every connection of this process to an allow list, except those to PostgreSQL and Redis. Upstream clients
 * check it in their connector; `fetch`, used for sign-in and payments, gets the same connector here.
 */
export function limitEgress(entries: readonly string[] | undefined): void {
  setEgressList(entries)
  if (entries === undefined) return
  setGlobalDispatcher(new Agent({ connect: guardedConnector({ timeoutMs: CONNECT_MS, allowPrivateAddresses: true }) }))
}
