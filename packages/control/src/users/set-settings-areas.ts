import { ApiError, ROLES, type SettingsArea } from '@tidegate/contract'
import { auditEvents, users } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'

/** Grants an administrator areas of the settings. Every request reads them, so that a grant and its end count at once. */
export async function setSettingsAreas(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  { id, areas }: { id: number; areas: readonly SettingsArea[] },
  origin: Origin,
): Promise<void> {
  const after = [...new Set(areas)].toSorted()
  await db.transaction().execute(async (transaction) => {
    const user = await users.lock(transaction, id)
    if (!user) throw new ApiError('user_not_found')
    if (user.deleted_at) throw new ApiError('target_deregistered')
    if (user.role !== ROLES.admin) throw new ApiError('areas_need_admin')
    await users.change(transaction, id, { settings_areas: after })
    const details = { before: user.settings_areas, after }
    const event = { action: 'user.settings_areas', subject: String(id), details }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
  })
}
