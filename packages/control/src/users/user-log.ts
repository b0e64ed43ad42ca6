import { api } from '@tidegate/contract'
import { type Db, jsonText, usageLogs } from '@tidegate/storage'

interface UserLogEntry {
  userId: number
  username: string
  at: Date
  event: string
  /** What the user reads: it names nobody. */
  content: string
  /** For administrators; a log shows its owner only the fields it lists. */
  facts: { actor_id: number } & Record<string, unknown>
}

/** The row in the user's own log about something an administrator did, in the transaction that does it. */
export async function writeManageLog(transaction: Db, note: UserLogEntry): Promise<void> {
  const { userId, username, at, event, content, facts } = note
  const other = jsonText({ event, ...facts })
  const type = api.LOG_TYPE.admin
  await usageLogs.insertFree(transaction, [{ created_at: at, type, user_id: userId, username, content, other }])
}

/** A row in the log of a user about something they did to their own account. */
export async function writeOwnLog(
  transaction: Db,
  user: { id: number; username: string },
  at: Date,
  { event, content, facts }: { event: string; content: string; facts: Record<string, unknown> },
): Promise<void> {
  const other = jsonText({ event, ...facts })
  const who = { user_id: user.id, username: user.username }
  await usageLogs.insertFree(transaction, [{ created_at: at, type: api.LOG_TYPE.system, ...who, content, other }])
}
