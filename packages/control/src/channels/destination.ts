import { api } from '@tidegate/contract'
import { CHANNEL_TYPES } from '@tidegate/providers'
import { splitKeys, type ChannelUpdate } from '@tidegate/storage'
import type { StoredChannel } from './channel.ts'
import { isMasked } from './keys/mask-key.ts'
import { headerOverrideOf, proxyOf } from './provider-target.ts'

type Where = Pick<StoredChannel, 'type' | 'base_url' | 'other' | 'setting' | 'header_override'>

interface Change {
  before: string | number
  after: string | number
}

/** How a change moves the place that the keys of a channel are sent to, for the audit trail; undefined when it does not. */
export function destinationChange(stored: Where, columns: ChannelUpdate): Record<string, Change> | undefined {
  const next = { ...stored, ...columns } as Where
  const changed = Object.keys(columns).some((column) => isGuarded(column) && directs(column, stored, next))
  if (!changed) return undefined
  const [before, after] = [describe(stored), describe(next)]
  const names = (Object.keys(before) as (keyof typeof before)[]).filter((name) => before[name] !== after[name])
  return Object.fromEntries(names.map((name) => [name, { before: before[name], after: after[name] }]))
}

/** Whether a request replaces every key. A masked line stands for a stored one. */
export function entersAllKeys(type: number, text: string): boolean {
  const lines = splitKeys(type, text)
  return lines.length > 0 && !lines.some(isMasked)
}

/** The host that the keys of a channel are sent to; blank where the region decides it. */
export function hostOfChannel(channel: Pick<Where, 'type' | 'base_url'>): string {
  return hostOf(addressOfChannel(channel))
}

/** Where requests of a channel go; blank where the region decides it. */
export function addressOfChannel({ type, base_url }: Pick<Where, 'type' | 'base_url'>): string {
  return base_url || (CHANNEL_TYPES.get(type)?.baseUrl ?? '')
}

function isGuarded(column: string): boolean {
  return api.CHANNEL_FIELD_GUARDS[column as keyof typeof api.CHANNEL_FIELD_GUARDS] === 'reauth'
}

function directs(column: string, stored: Where, next: Where): boolean {
  if (column === 'setting') return proxyOf(stored.setting) !== proxyOf(next.setting)
  return stored[column as keyof Where] !== next[column as keyof Where]
}

const LONGEST_RECORDED = 200

/** Addresses by their host and headers by their names: the rest may hold secrets. */
function describe(channel: Where) {
  return {
    host: hostOfChannel(channel),
    type: channel.type,
    other: channel.other.slice(0, LONGEST_RECORDED),
    proxy: hostOf(proxyOf(channel.setting) ?? ''),
    headers: [...headerOverrideOf(channel.header_override).keys()].join(', ').slice(0, LONGEST_RECORDED),
  }
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? ''
}
