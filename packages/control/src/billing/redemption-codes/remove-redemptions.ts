import { api, ApiError } from '@tidegate/contract'
import { auditEvents, redemptions, type RedemptionChoice } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'

const { unused, disabled } = api.REDEMPTION_STATUS

/** Removes codes and says in the trail which were meant; answers how many there were. */
export async function removeRedemptions(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  choice: RedemptionChoice,
  origin: Origin,
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const count = await redemptions.remove(transaction, choice, now())
    if (count === 0) return 0
    const { name, status, ids } = choice
    const subject = name ?? (ids === undefined ? '' : ids.join(','))
    const event = { action: 'redemption.delete', subject, details: { count, ...(status && { status }) } }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
    return count
  })
}

export async function disableRedemptions(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  ids: readonly number[],
  origin: Origin,
): Promise<number> {
  if (ids.length === 0) throw new ApiError('redemptions_required')
  return db.transaction().execute(async (transaction) => {
    const done = await redemptions.setStatus(transaction, ids, { from: unused, to: disabled })
    if (done.length === 0) return 0
    const event = { action: 'redemption.disable', subject: '', details: { ids: done } }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
    return done.length
  })
}
