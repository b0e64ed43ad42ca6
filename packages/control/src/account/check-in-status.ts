import { users } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Days are those of UTC, as the ledger pays them. */
export async function checkInStatus(
  { db, catalog, now }: Pick<Deps, 'db' | 'catalog' | 'now'>,
  actor: Actor,
): Promise<{ can_check_in: boolean; next_check_in_at: string | null }> {
  if (!catalog().settings.CheckInEnabled) return { can_check_in: false, next_check_in_at: null }
  const user = await users.findById(db, actor.id)
  const today = dayOf(now())
  const last = user?.last_check_in_at
  const tomorrow = new Date((today + 1) * DAY_MS).toISOString()
  return { can_check_in: !last || dayOf(last) !== today, next_check_in_at: tomorrow }
}

function dayOf(time: Date): number {
  return Math.floor(time.getTime() / DAY_MS)
}
