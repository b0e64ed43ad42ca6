import { api, ApiError } from '@tidegate/contract'
import { auditEvents, channelKeyHash, channelKeys, type Db } from '@tidegate/storage'
import { changeCatalog } from '../../change-catalog.ts'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { withoutReason, writeStatus } from '../status.ts'
import { findChannel, unixSeconds } from '../channel.ts'
import { recordKeys, joinKeys, maskKey, openKeys } from './stored-keys.ts'

/** Length of the hash prefix that identifies a key within a channel. */
const HASH_LENGTH = 16

/** Keys in order, with their states. */
export async function listKeys({ db, vault }: Pick<Deps, 'db' | 'vault'>, id: number): Promise<api.ChannelKey[]> {
  const channel = await findChannel(db, id)
  const states = new Map((await channelKeys.listOf(db, id)).map((state) => [state.key_hash, state]))
  return openKeys(vault, channel).map((key) => {
    const hash = channelKeyHash(vault, key)
    const state = states.get(hash)
    return {
      hash: hash.slice(0, HASH_LENGTH),
      masked: maskKey(key),
      status: state?.status ?? api.CHANNEL_STATUS.enabled,
      reason: state?.reason ?? '',
      changed_time: unixSeconds(state?.changed_at ?? null),
    }
  })
}

export async function revealKeys(
  { db, vault }: Pick<Deps, 'db' | 'vault'>,
  actor: Actor,
  id: number,
  origin: Origin,
): Promise<{ key: string; keys: string[] }> {
  const keys = openKeys(vault, await findChannel(db, id))
  await auditEvents.record(db, { actorId: actor.id, action: 'channel.reveal', subject: String(id), ...origin })
  return { key: joinKeys(keys), keys }
}

type KeyDeps = Pick<Deps, 'db' | 'vault' | 'catchUp' | 'now'>
interface KeyReference {
  id: number
  /** Hash prefix, as shown in lists. */
  hash: string
}

const { enabled, disabled, autoDisabled } = api.CHANNEL_STATUS

/** Also enables a channel that was disabled automatically because it had no usable key. */
export async function enableKey(deps: KeyDeps, actor: Actor, name: KeyReference, origin: Origin): Promise<void> {
  await changeCatalog(deps, async (transaction) => {
    const { channel, keyHash } = await findKey(transaction, deps, name)
    const hadNone = (await channelKeys.countUsable(transaction, name.id)) === 0
    const change = { from: [disabled, autoDisabled], to: enabled, reason: '', at: deps.now() }
    await channelKeys.changeStatus(transaction, { channelId: name.id, keyHash }, change)
    if (channel.status === autoDisabled && hadNone) {
      await writeStatus(transaction, channel, enabled, withoutReason(channel.other_info))
    }
    await record(transaction, actor, 'channel.key_enable', name, origin)
  })
}

export async function disableKey(deps: KeyDeps, actor: Actor, name: KeyReference, origin: Origin): Promise<void> {
  await changeCatalog(deps, async (transaction) => {
    const { channel, keyHash } = await findKey(transaction, deps, name)
    const change = { from: [enabled, autoDisabled], to: disabled, reason: '', at: deps.now() }
    await channelKeys.changeStatus(transaction, { channelId: name.id, keyHash }, change)
    const isLast = (await channelKeys.countUsable(transaction, name.id)) === 0
    if (isLast && channel.status === enabled) throw new ApiError('channel_key_last')
    await record(transaction, actor, 'channel.key_disable', name, origin)
  })
}

async function findKey(transaction: Db, { vault }: Pick<Deps, 'vault'>, { id, hash }: KeyReference) {
  const channel = await findChannel(transaction, id)
  const keys = openKeys(vault, channel)
  await recordKeys(transaction, vault, id, keys) // older channels have no key states yet
  const found = keys.map((key) => channelKeyHash(vault, key)).filter((keyHash) => keyHash.startsWith(hash))
  if (found.length !== 1 || hash.length < HASH_LENGTH) throw new ApiError('channel_key_not_found')
  return { channel, keyHash: found[0]! }
}

async function record(transaction: Db, actor: Actor, action: string, { id, hash }: KeyReference, origin: Origin) {
  await auditEvents.record(transaction, {
    actorId: actor.id,
    action,
    subject: String(id),
    details: { hash },
    ...origin,
  })
}
