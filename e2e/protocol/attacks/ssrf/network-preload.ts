import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { NETWORK_VARIABLE, type SteeredNetwork } from './fake-network.ts'

/**
 * Loaded into a server before anything else. Names resolve as a test defines, public addresses lead to a server of the
 * test, and every dialled address is logged. It works below the checks of the product: the product sees the real
 * addresses, which are replaced afterwards.
 */
const { names, leads } = JSON.parse(process.env[NETWORK_VARIABLE]!) as SteeredNetwork

type Callback = (error: Error | null, address: string | dns.LookupAddress[], family?: number) => void
type Lookup = (hostname: string, options: dns.LookupOptions, callback: Callback) => void

const realLookup = dns.lookup as unknown as Lookup
const lookups = new Map<string, number>()

function lookUp(hostname: string, options: dns.LookupOptions | Callback, last?: Callback): void {
  const callback = (last ?? options) as Callback
  const lookupOptions = last ? (options as dns.LookupOptions) : {}
  const name = hostname.toLowerCase().replace(/\.$/, '')
  // Names of this machine are left to its own resolver.
  if (name === 'localhost' || net.isIP(name) !== 0) return realLookup(name, lookupOptions, callback)
  const responses = names[name]
  if (!responses) {
    const unknown = Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND', hostname })
    return process.nextTick(callback, unknown)
  }
  const turn = lookups.get(name) ?? 0
  lookups.set(name, turn + 1)
  const found = responses[Math.min(turn, responses.length - 1)]!.map((address) => ({
    address,
    family: net.isIP(address),
  }))
  process.nextTick(() =>
    lookupOptions.all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family),
  )
}

function log(host: string, address: string, port: unknown): void {
  process.stdout.write(`${JSON.stringify({ msg: 'dialled', host, address, port: Number(port) })}\n`)
}

const steer = (address: string) => leads[address] ?? address

/** Calls the lookup of the connection, then replaces the address. */
function redirectLookup(lookup: Lookup, port: unknown): Lookup {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      if (error) return callback(error, found, family)
      const list = Array.isArray(found) ? found : [{ address: found, family: family ?? 4 }]
      for (const { address } of list) log(hostname, address, port)
      if (!Array.isArray(found)) return callback(null, steer(found), family)
      return callback(
        null,
        list.map(({ address, ...rest }) => ({ ...rest, address: steer(address) })),
      )
    })
}

interface Target {
  host?: string
  port?: unknown
  lookup?: Lookup
}

const connect = net.Socket.prototype.connect as (this: net.Socket, ...args: unknown[]) => net.Socket
net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  // Node passes the arguments as one list internally.
  const target = (Array.isArray(args[0]) ? args[0][0] : args[0]) as Target | number
  if (typeof target === 'object' && target.host !== undefined) {
    if (net.isIP(target.host) !== 0) {
      log(target.host, target.host, target.port)
      target.host = steer(target.host)
    } else target.lookup = redirectLookup(target.lookup ?? lookUp, target.port)
  }
  return connect.apply(this, args)
}

dns.lookup = lookUp as unknown as typeof dns.lookup
syncBuiltinESMExports()
