import { api, ApiError, type Settings } from '@tidegate/contract'
import { CHANNEL_TYPES } from '@tidegate/providers'
import { abilities, auditEvents, channels } from '@tidegate/storage'
import { changeCatalog } from '../change-catalog.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { channelDetail } from './channel-view.ts'
import { checkEgress } from './check-egress.ts'
import { checkFields } from './check-fields.ts'
import { findChannel } from './channel.ts'
import { readKeys } from './keys/stored-keys.ts'
import { countKeys, sealKeys } from './keys/sealed-keys.ts'

export async function createChannel(
  deps: Pick<Deps, 'db' | 'vault' | 'catalog' | 'catchUp'>,
  actor: Actor,
  { mode, ...input }: api.NewChannel & { mode?: string | undefined },
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
    await channels.insert(transaction, { id, sealed_key, ...fields })
    await countKeys(transaction, deps.vault, id, keys)
    await abilities.rebuild(transaction, [id])
    await auditEvents.record(transaction, {
      actorId: actor.id,
      action: 'channel.create',
      subject: String(id),
      details: { type: fields.type, name: fields.name, keys: keys.length },
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
  const given = { ...input, base_url: input.base_url ?? '', other: input.other ?? '' }
  const columns = checkFields(given, { type, base_url: '', other: '' }, settings)
  const keys = readKeys(type, input.key)
  if (keys.length === 0) throw new ApiError('channel_name_key_required')
  return { ...columns, type, name: columns.name ?? '', keys }
}
