import { api, ApiError } from '@tidegate/contract'
import {
  CHANNEL_TYPES,
  requireEgressUnresolved,
  resolveEgress,
  type UpstreamChannel,
  type UpstreamClient,
} from '@tidegate/providers'
import { type ChannelUpdate, splitKeys, type Vault } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { StoredChannel } from './channel.ts'
import { readEntries } from './check-json.ts'
import { withEgressErrors } from '../http/egress.ts'
import { isMasked, openKeys } from './keys/stored-keys.ts'

type ChannelDestination = Pick<StoredChannel, 'type' | 'base_url' | 'other' | 'setting' | 'header_override'>

interface Change {
  before: string | number
  after: string | number
}

/** How a change affects where the channel's keys are sent, for the audit trail; undefined if it does not. */
export function destinationChange(
  stored: ChannelDestination,
  columns: ChannelUpdate,
): Record<string, Change> | undefined {
  const next = { ...stored, ...columns } as ChannelDestination
  const changed = Object.keys(columns).some((column) => isGuarded(column) && changesDestination(column, stored, next))
  if (!changed) return undefined
  const [before, after] = [describeDestination(stored), describeDestination(next)]
  const names = (Object.keys(before) as (keyof typeof before)[]).filter((name) => before[name] !== after[name])
  return Object.fromEntries(names.map((name) => [name, { before: before[name], after: after[name] }]))
}

/** Whether the request replaces all keys. A masked line stands for a stored key. */
export function entersAllKeys(type: number, text: string): boolean {
  const lines = splitKeys(type, text)
  return lines.length > 0 && !lines.some(isMasked)
}

/** Host that receives the channel's keys; blank when the region decides it. */
export function hostOfChannel(channel: Pick<ChannelDestination, 'type' | 'base_url'>): string {
  return hostOf(addressOfChannel(channel))
}

/** Address of the channel's requests; blank when the region decides it. */
function addressOfChannel({ type, base_url }: Pick<ChannelDestination, 'type' | 'base_url'>): string {
  return base_url || (CHANNEL_TYPES.get(type)?.baseUrl ?? '')
}

function isGuarded(column: string): boolean {
  return api.CHANNEL_FIELD_GUARDS[column as keyof typeof api.CHANNEL_FIELD_GUARDS] === 'reauth'
}

function changesDestination(column: string, stored: ChannelDestination, next: ChannelDestination): boolean {
  if (column === 'setting') return proxyOf(stored.setting) !== proxyOf(next.setting)
  return stored[column as keyof ChannelDestination] !== next[column as keyof ChannelDestination]
}

const MAX_RECORDED_LENGTH = 200

/** Hosts and header names only; the rest may contain secrets. */
function describeDestination(channel: ChannelDestination) {
  return {
    host: hostOfChannel(channel),
    type: channel.type,
    other: channel.other.slice(0, MAX_RECORDED_LENGTH),
    proxy: hostOf(proxyOf(channel.setting) ?? ''),
    headers: [...headerOverrideOf(channel.header_override).keys()].join(', ').slice(0, MAX_RECORDED_LENGTH),
  }
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? ''
}

/** How to query the provider account of a channel. */
export interface ProviderAccount {
  channel: UpstreamChannel
  key: string
}

/** The account of the channel's first key. */
export function providerAccount(vault: Vault, channel: StoredChannel): ProviderAccount {
  return {
    channel: {
      type: channel.type,
      baseUrl: channel.base_url,
      openaiOrganization: channel.openai_organization,
      other: channel.other,
      setting: settingOf(channel.setting),
      headerOverride: headerOverrideOf(channel.header_override),
    },
    key: openKeys(vault, channel)[0] ?? '',
  }
}

/** The setting of a channel; empty when the text cannot be parsed. */
export function settingOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object.fromEntries(readEntries('setting', text))
  } catch {
    return {}
  }
}

/** The proxy of a channel setting; undefined when it cannot be parsed. */
function proxyOf(setting: string): string | undefined {
  const { proxy } = settingOf(setting)
  return typeof proxy === 'string' && proxy.trim() !== '' ? proxy.trim() : undefined
}

/** The header overrides of a channel; none when the text cannot be parsed. */
export function headerOverrideOf(text: string): ReadonlyMap<string, string> {
  try {
    const entries = readEntries('header_override', text)
    return new Map(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
  } catch {
    return new Map()
  }
}

export function requireUpstream({ upstream }: Pick<Deps, 'upstream'>): UpstreamClient {
  if (!upstream) throw new ApiError('upstream_calls_off')
  return upstream
}

/**
 * Rejects a channel whose host or proxy is not in the egress allow list. Connections are checked again when they open.
 */
export async function checkEgress(channel: Pick<StoredChannel, 'type' | 'base_url' | 'setting'>): Promise<void> {
  const address = addressOfChannel(channel)
  const proxy = proxyOf(channel.setting)
  await withEgressErrors(async () => {
    if (proxy !== undefined) requireEgressUnresolved(proxy)
    if (address === '') return
    if (proxy === undefined) await resolveEgress(new URL(address).hostname)
    else requireEgressUnresolved(address)
  })
}
