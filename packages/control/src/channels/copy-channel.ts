import type { api } from '@tidegate/contract'
import { abilities, auditEvents, channels } from '@tidegate/storage'
import { changeCatalog } from '../change-catalog.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { channelDetail } from './channel-view.ts'
import { checkName } from './check-texts.ts'
import { hostOfChannel } from './destination.ts'
import { findChannel, type StoredChannel } from './channel.ts'
import { countKeys, openKeys, sealKeys } from './keys/sealed-keys.ts'

/** A second channel like the first, made here so that its keys never leave the server. All of them are in use. */
export async function copyChannel(
  deps: Pick<Deps, 'db' | 'vault' | 'catchUp'>,
  actor: Actor,
  { id, name }: { id: number; name: string | null | undefined },
  origin: Origin,
): Promise<api.ChannelDetail> {
  const copy = await changeCatalog(deps, async (transaction) => {
    const original = await findChannel(transaction, id)
    const keys = openKeys(deps.vault, original)
    const copyId = await channels.nextId(transaction)
    await channels.insert(transaction, {
      ...copied(original),
      id: copyId,
      name: checkName(name?.trim() || `${original.name} copy`),
      sealed_key: sealKeys(deps.vault, copyId, keys),
    })
    await countKeys(transaction, deps.vault, copyId, keys)
    await abilities.rebuild(transaction, [copyId])
    await auditEvents.record(transaction, {
      actorId: actor.id,
      action: 'channel.copy',
      subject: String(copyId),
      details: { from: id, host: hostOfChannel(original) },
      ...origin,
    })
    return findChannel(transaction, copyId)
  })
  return channelDetail(deps.vault, copy)
}

/** What belongs to a channel's setting up, not to its history. */
function copied(original: StoredChannel) {
  const {
    id: _id,
    name: _name,
    sealed_key: _key,
    key_count: _keys,
    disabled_key_count: _disabled,
    used_quota: _used,
    balance: _balance,
    balance_updated_at: _balanceTime,
    tested_at: _tested,
    response_time_ms: _responseTime,
    created_at: _created,
    other_info,
    ...kept
  } = original
  return { ...kept, other_info: JSON.stringify(other_info) }
}
