import { api } from '@tidegate/contract'
import { jsonText, type Db } from '@tidegate/storage'
import type { LockedAccount } from './lock-accounts.ts'

/** What the user reads of a movement: a plain sentence, and the same as fields that a console can put in any language. */
export interface MovementNote {
  type: keyof typeof api.LOG_TYPE
  event: string
  content: string
  facts?: Record<string, unknown>
}

export async function writeLog(
  db: Db,
  account: LockedAccount,
  at: Date,
  { type, event, content, facts }: MovementNote,
): Promise<void> {
  await db
    .insertInto('usage_log')
    .values({
      created_at: at,
      type: api.LOG_TYPE[type],
      user_id: account.id,
      username: account.username,
      content,
      other: jsonText({ event, ...facts }),
    })
    .execute()
}
