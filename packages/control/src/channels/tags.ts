import { api, ApiError, stripNul } from '@tidegate/contract'
import { abilities, auditEvents, channels, type ChannelUpdate, type Db } from '@tidegate/storage'
import { changeCatalog, changeCatalogIfNeeded } from '../change-catalog.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { changeStatus } from './status.ts'
import { checkFields, checkTag } from './check-fields.ts'

type TagDeps = Pick<Deps, 'db' | 'catalog' | 'catchUp' | 'now'>

/** Sets or, if blank, removes a tag; returns the number of channels. */
export async function tagChannels(
  deps: Pick<Deps, 'db' | 'catchUp'>,
  actor: Actor,
  { ids, tag: requested }: { ids: readonly number[]; tag?: string | null },
  origin: Origin,
): Promise<number> {
  if (ids.length === 0) throw new ApiError('invalid_params')
  const tag = checkTag(requested ?? '')
  const tagged = await changeCatalogIfNeeded(deps, async (transaction) => {
    const found = await channels.lock(transaction, { ids })
    if (found.length === 0) return undefined
    await channels.update(transaction, found, { tag })
    await abilities.rebuild(transaction, found)
    const change = { action: 'channel.tag', subject: tag, details: { ids: found } }
    await auditEvents.record(transaction, { actorId: actor.id, ...change, ...origin })
    return found.length
  })
  return tagged ?? 0
}

/** Changes all channels of a tag. Empty text changes nothing, but an empty new tag removes the tag. */
export async function updateTag(deps: TagDeps, actor: Actor, changes: api.TagChanges, origin: Origin): Promise<void> {
  const tag = requireTag(changes.tag)
  const { new_tag, models, groups, model_mapping, priority, weight } = changes
  const columns: ChannelUpdate = {
    // These fields do not depend on type, address or region.
    ...checkFields(
      { models: models || null, group: groups || null, model_mapping: model_mapping || null, priority, weight },
      { type: 1, base_url: '', other: '' },
      deps.catalog().settings,
    ),
    ...(typeof new_tag === 'string' && { tag: checkTag(new_tag) }),
  }
  await changeCatalog(deps, async (transaction) => {
    const ids = await channelsOf(transaction, tag)
    await channels.update(transaction, ids, columns)
    await abilities.rebuild(transaction, ids)
    const change = { action: 'channel.tag_update', subject: tag, details: { ids, fields: Object.keys(columns) } }
    await auditEvents.record(transaction, { actorId: actor.id, ...change, ...origin })
  })
}

export async function setTagStatus(
  deps: TagDeps,
  actor: Actor,
  { tag: requested, status }: { tag: string; status: 1 | 2 },
  origin: Origin,
): Promise<void> {
  const tag = requireTag(requested)
  await changeCatalog(deps, async (transaction) => {
    const ids = await channelsOf(transaction, tag)
    const rows = await transaction
      .selectFrom('channel')
      .select(['id', 'status', 'other_info'])
      .where('id', 'in', ids)
      .execute()
    const changed = await changeStatus(transaction, rows, status, deps.now())
    const action = status === api.CHANNEL_STATUS.enabled ? 'channel.tag_enable' : 'channel.tag_disable'
    await auditEvents.record(transaction, {
      actorId: actor.id,
      action,
      subject: tag,
      details: { ids: changed },
      ...origin,
    })
  })
}

function requireTag(text: string): string {
  const tag = stripNul(text).trim()
  if (tag === '') throw new ApiError('channel_tag_required')
  return tag
}

async function channelsOf(transaction: Db, tag: string): Promise<number[]> {
  const ids = await channels.lock(transaction, { tag })
  if (ids.length === 0) throw new ApiError('channel_tag_not_found', { tag })
  return ids
}
