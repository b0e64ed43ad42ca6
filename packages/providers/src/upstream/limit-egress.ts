import { Agent, setGlobalDispatcher } from 'undici'
import { setEgressList } from './egress.ts'
import { guardedConnector } from './guard-address.ts'

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
