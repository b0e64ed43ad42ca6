import { api, ApiError, type Settings } from '@tidegate/contract'
import { CHANNEL_TYPES } from '@tidegate/providers'
import { abilities, auditEvents, channels } from '@tidegate/storage'
import { changeCatalog } from '../change-catalog.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { channelDetail, findChannel, type StoredChannel } from './channel.ts'
import { checkFields, checkName } from './check-fields.ts'
import { checkEgress, hostOfChannel } from './destination.ts'
import { recordKeys, openKeys, readKeys, sealKeys } from './keys/stored-keys.ts'

export async function createChannel(
  deps: Pick<Deps, 'db' | 'vault' | 'catalog' | 'catchUp'>,
  actor: Actor,
  { mode, disabled = false, ...input }: api.NewChannel & { mode?: string | undefined },
  origin: Origin,
): Promise<api.ChannelDetail> {
  if (mode !== undefined && !api.CHANNEL_MODES.includes(mode)) {
    throw new ApiError('channel_mode_unknown', { mode: mode.slice(0, 64) })
  }
  const { keys, ...fields } = checkNewChannel(input, deps.catalog().settings)
  await checkEgress({ type: fields.type, base_url: fields.base_url ?? '', setting: fields.setting ?? '' })
  const created = await changeCatalog(deps, async (transaction) => {
    const id = await channels.nextId(transaction)
    const sealed_key = sealKeys(deps.vault, id, keys)
    const status = disabled ? api.CHANNEL_STATUS.disabled : api.CHANNEL_STATUS.enabled
    await channels.insert(transaction, { id, sealed_key, status, ...fields })
    await recordKeys(transaction, deps.vault, id, keys)
    await abilities.rebuild(transaction, [id])
    await auditEvents.record(transaction, {
      actorId: actor.id,
      action: 'channel.create',
      subject: String(id),
      details: { type: fields.type, name: fields.name, keys: keys.length, ...(disabled && { disabled }) },
      ...origin,
    })
    return findChannel(transaction, id)
  })
  return channelDetail(deps.vault, created)
}

function checkNewChannel(input: api.NewChannel, settings: Pick<Settings, 'GroupRatio'>) {
  const { type } = input
  if (input.name.trim() === '' || input.key.trim() === '') throw new ApiError('channel_name_key_required')
  if (!CHANNEL_TYPES.has(type)) throw new ApiError('channel_type_unknown', { type })
  const value = { ...input, base_url: input.base_url ?? '', other: input.other ?? '' }
  const columns = checkFields(value, { type, base_url: '', other: '' }, settings)
  const keys = readKeys(type, input.key)
  if (keys.length === 0) throw new ApiError('channel_name_key_required')
  return { ...columns, type, name: columns.name ?? '', keys }
}

/** Copies a channel on the server, so its keys never leave it. All keys are enabled. */
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
      ...copiedColumns(original),
      id: copyId,
      name: checkName(name?.trim() || `${original.name} copy`),
      sealed_key: sealKeys(deps.vault, copyId, keys),
    })
    await recordKeys(transaction, deps.vault, copyId, keys)
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

/** The configuration of a channel, without its history. */
function copiedColumns(original: StoredChannel) {
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
    ...configuration
  } = original
  return { ...configuration, other_info: JSON.stringify(other_info) }
}
