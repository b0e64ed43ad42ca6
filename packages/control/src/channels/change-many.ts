import { api, ApiError } from '@tidegate/contract'
import { abilities, auditEvents, channels, type Db } from '@tidegate/storage'
import { changeCatalogIfNeeded } from '../change-catalog.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { checkFields } from './check-fields.ts'
import { changeStatus } from './status.ts'

type BatchDeps = Pick<Deps, 'db' | 'catalog' | 'catchUp' | 'now'>

/** Enables or disables channels manually. Returns how many changed. */
export function setStatusOfMany(
  deps: BatchDeps,
  actor: Actor,
  { ids, status }: { ids: readonly number[]; status: 1 | 2 },
  origin: Origin,
): Promise<number> {
  return changeMany(deps, ids, async (transaction, found) => {
    const rows = await transaction
      .selectFrom('channel')
      .select(['id', 'status', 'other_info'])
      .where('id', 'in', found)
      .orderBy('id')
      .execute()
    const changed = await changeStatus(transaction, rows, status, deps.now())
    if (changed.length === 0) return undefined
    const action = status === api.CHANNEL_STATUS.enabled ? 'channel.enable_many' : 'channel.disable_many'
    await auditEvents.record(transaction, { actorId: actor.id, action, details: { ids: changed }, ...origin })
    return changed.length
  })
}

/** Sets the priority or the weight of channels. Returns how many were found. */
export function setOrderOfMany(
  deps: BatchDeps,
  actor: Actor,
  { ids, ...fields }: { ids: readonly number[]; priority?: number; weight?: number },
  origin: Origin,
): Promise<number> {
  // These fields do not depend on type, address or region.
  const columns = checkFields(fields, { type: 1, base_url: '', other: '' }, deps.catalog().settings)
  return changeMany(deps, ids, async (transaction, found) => {
    await channels.update(transaction, found, columns)
    await abilities.rebuild(transaction, found)
    const change = { action: 'channel.update_many', details: { ids: found, ...fields } }
    await auditEvents.record(transaction, { actorId: actor.id, ...change, ...origin })
    return found.length
  })
}

/** Runs one transaction for the channels that exist. Without any, nothing changes. */
async function changeMany(
  deps: BatchDeps,
  ids: readonly number[],
  change: (transaction: Db, found: readonly number[]) => Promise<number | undefined>,
): Promise<number> {
  if (ids.length === 0) throw new ApiError('invalid_params')
  const changed = await changeCatalogIfNeeded(deps, async (transaction) => {
    const found = await channels.lock(transaction, { ids })
    return found.length === 0 ? undefined : change(transaction, found)
  })
  return changed ?? 0
}
