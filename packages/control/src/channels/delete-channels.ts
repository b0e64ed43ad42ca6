import { ApiError } from '@tidegate/contract'
import { auditEvents, channels, type ChannelSelector } from '@tidegate/storage'
import { changeCatalog, changeCatalogIfNeeded } from '../change-catalog.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'

type DeleteDeps = Pick<Deps, 'db' | 'catchUp'>

export async function deleteChannel(deps: DeleteDeps, actor: Actor, id: number, origin: Origin): Promise<void> {
  await changeCatalog(deps, async (transaction) => {
    if ((await channels.remove(transaction, [id])) === 0) throw new ApiError('channel_not_found')
    await auditEvents.record(transaction, {
      actorId: actor.id,
      action: 'channel.delete',
      subject: String(id),
      ...origin,
    })
  })
}

/** Returns how many channels were removed. */
export async function deleteChannels(
  deps: DeleteDeps,
  actor: Actor,
  choice: ChannelSelector,
  origin: Origin,
): Promise<number> {
  if ('ids' in choice && choice.ids.length === 0) throw new ApiError('invalid_params')
  const removed = await changeCatalogIfNeeded(deps, async (transaction) => {
    const ids = await channels.lock(transaction, choice)
    if (ids.length === 0) return undefined
    await auditEvents.record(transaction, {
      actorId: actor.id,
      action: 'channel.delete_many',
      details: { ids },
      ...origin,
    })
    return channels.remove(transaction, ids)
  })
  return removed ?? 0
}
