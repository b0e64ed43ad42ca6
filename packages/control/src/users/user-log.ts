import { api } from '@tidegate/contract'
import { type Db, jsonText, postgresLogStore } from '@tidegate/storage'

interface UserLogEntry {
  userId: number
  username: string
  at: Date
  event: string
  /** Shown to the user; names no administrator. */
  content: string
  /** For administrators; users see only allowed fields. */
  facts: { actor_id: number } & Record<string, unknown>
}

/** Writes a row to the user's log about an administrator's action, in the same transaction. */
export async function writeManageLog(transaction: Db, note: UserLogEntry): Promise<void> {
  const { userId, username, at, event, content, facts } = note
  const other = jsonText({ event, ...facts })
  const type = api.LOG_TYPE.admin
  await postgresLogStore(transaction).append([{ created_at: at, type, user_id: userId, username, content, other }])
}

/** Writes a row to the user's log about their own action. */
export async function writeOwnLog(
  transaction: Db,
  user: { id: number; username: string },
  at: Date,
  { event, content, facts }: { event: string; content: string; facts: Record<string, unknown> },
): Promise<void> {
  const other = jsonText({ event, ...facts })
  const who = { user_id: user.id, username: user.username }
  await postgresLogStore(transaction).append([{ created_at: at, type: api.LOG_TYPE.system, ...who, content, other }])
}
