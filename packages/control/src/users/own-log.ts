import { api } from '@tidegate/contract'
import { jsonText, usageLogs, type Db } from '@tidegate/storage'

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
