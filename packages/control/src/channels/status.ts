import { api } from '@tidegate/contract'
import { abilities, auditEvents, channelKeyHash, channelKeys, channels, type Db, jsonText } from '@tidegate/storage'
import { changeCatalogIfNeeded } from '../change-catalog.ts'
import type { Deps } from '../deps.ts'
import type { StoredChannel } from './channel.ts'
import { recordKeys, hideKeys, tryOpenKeys } from './keys/stored-keys.ts'
import { describeDisabled, describeDisabledKey, describeEnabled, alertRootOfChannel } from './status-alerts.ts'

/** The gateway does not wait until its own node has reloaded. */
type StatusDeps = Pick<Deps, 'db' | 'vault' | 'now'> & Partial<Pick<Deps, 'catchUp'>>

export interface DisableRequest {
  channelId: number
  /** The failed key; undefined for the whole channel. */
  key?: string
  reason: string
  at?: Date
  /** Also disables channels whose automatic disabling is turned off. */
  ignoreAutoBan?: boolean
}

const { enabled, autoDisabled } = api.CHANNEL_STATUS
/** Status value for key alerts, where alerts are limited per status. */
const KEY_ALERT = 0
const MAX_REASON_LENGTH = 500

/**
 * Disables a key, and the channel when it has no other usable key. Does nothing for channels that are manually disabled
 * or protected, for unknown keys, or when another node already did it. Returns what was disabled.
 */
export async function disableChannel(
  deps: StatusDeps,
  request: DisableRequest,
): Promise<'key' | 'channel' | undefined> {
  const keyHash = request.key === undefined ? undefined : channelKeyHash(deps.vault, request.key)
  // Checked without the catalog lock first: during an outage this runs for every failing request.
  if (!mayDisable(await channels.find(deps.db, request.channelId), request)) return undefined
  if (await isDisabledAlready(deps.db, request.channelId, keyHash)) return undefined
  return change(deps, async (transaction) => {
    const channel = await channels.find(transaction, request.channelId)
    if (!mayDisable(channel, request)) return undefined
    const at = request.at ?? deps.now()
    const keys = tryOpenKeys(deps.vault, channel)
    const reason = hideKeys(request.reason, keys ?? []).slice(0, MAX_REASON_LENGTH)
    if (keyHash !== undefined) {
      if (keys) await recordKeys(transaction, deps.vault, channel.id, keys)
      const move = { from: [enabled], to: autoDisabled, reason, at }
      if (!(await channelKeys.changeStatus(transaction, { channelId: channel.id, keyHash }, move))) return undefined
      const left = await channelKeys.countUsable(transaction, channel.id)
      if (left > 0) return alertOfKey(transaction, channel, { keyHash, reason, left })
    }
    await writeStatus(transaction, channel, autoDisabled, withReason(channel.other_info, reason, at))
    await record(transaction, 'channel.auto_disable', channel.id, { reason })
    const about = { channelId: channel.id, status: autoDisabled }
    await alertRootOfChannel(transaction, about, describeDisabled(channel, reason))
    return 'channel'
  })
}

/** Enables an automatically disabled channel and its keys. False for other channels. */
export async function enableChannel(
  deps: StatusDeps,
  { channelId, at = deps.now() }: { channelId: number; at?: Date },
): Promise<boolean> {
  const done = await change(deps, async (transaction) => {
    const channel = await channels.find(transaction, channelId)
    if (channel?.status !== autoDisabled) return undefined
    await writeStatus(transaction, channel, enabled, withoutReason(channel.other_info))
    await channelKeys.restore(transaction, [channelId], at)
    await record(transaction, 'channel.auto_enable', channelId, {})
    await alertRootOfChannel(transaction, { channelId, status: enabled }, describeEnabled(channel))
    return true
  })
  return done ?? false
}

function change<Result>(
  { db, catchUp = () => Promise.resolve() }: StatusDeps,
  work: (transaction: Db) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  return changeCatalogIfNeeded({ db, catchUp }, work)
}

function mayDisable(channel: StoredChannel | undefined, { ignoreAutoBan }: DisableRequest): channel is StoredChannel {
  return channel?.status === enabled && (channel.auto_ban || ignoreAutoBan === true)
}

async function isDisabledAlready(db: Db, channelId: number, keyHash: string | undefined): Promise<boolean> {
  if (keyHash === undefined) return false
  const states = await channelKeys.listOf(db, channelId)
  return states.some((state) => state.key_hash === keyHash && state.status !== enabled)
}

async function alertOfKey(
  transaction: Db,
  channel: StoredChannel,
  { keyHash, reason, left }: { keyHash: string; reason: string; left: number },
): Promise<'key'> {
  await record(transaction, 'channel.key_auto_disable', channel.id, { hash: keyHash.slice(0, 16), reason })
  const about = { channelId: channel.id, status: KEY_ALERT }
  await alertRootOfChannel(transaction, about, describeDisabledKey(channel, reason, left))
  return 'key'
}

async function record(transaction: Db, action: string, id: number, details: Record<string, unknown>): Promise<void> {
  await auditEvents.record(transaction, { actorId: null, action, subject: String(id), details })
}

type OtherInfo = Record<string, unknown>

interface StatusRow {
  id: number
  status: number
  other_info: OtherInfo
}

/**
 * Enables or disables channels manually and returns the changed ones. Enabling clears the reason of an automatic
 * disable and enables the keys again.
 */
export async function changeStatus(
  transaction: Db,
  rows: readonly StatusRow[],
  status: typeof api.CHANNEL_STATUS.enabled | typeof api.CHANNEL_STATUS.disabled,
  at: Date,
): Promise<number[]> {
  const changed = rows.filter((row) => row.status !== status)
  const ids = changed.map(({ id }) => id)
  if (status === api.CHANNEL_STATUS.enabled) {
    for (const row of changed) await writeStatus(transaction, row, status, withoutReason(row.other_info))
    await channelKeys.restore(transaction, ids, at)
  } else {
    await channels.update(transaction, ids, { status })
    await abilities.rebuild(transaction, ids)
  }
  return ids
}

/** Writes status, status details and abilities together. */
export async function writeStatus(
  transaction: Db,
  { id }: Pick<StatusRow, 'id'>,
  status: number,
  other_info: OtherInfo,
): Promise<void> {
  await channels.update(transaction, [id], { status, other_info: jsonText(other_info) })
  await abilities.rebuild(transaction, [id])
}

function withReason(info: OtherInfo, reason: string, at: Date): OtherInfo {
  return { ...info, status_reason: reason, status_time: Math.floor(at.getTime() / 1000) }
}

export function withoutReason({ status_reason: _reason, status_time: _time, ...info }: OtherInfo): OtherInfo {
  return info
}
