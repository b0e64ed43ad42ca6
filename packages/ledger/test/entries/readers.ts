import type { Db } from '@tidegate/storage'

/** The entries of a user's own account, oldest first. */
export function entriesOf(db: Db, userId: number) {
  return db
    .selectFrom('ledger_entry')
    .select(['kind', 'amount', 'reference', 'actor_id'])
    .where('user_id', '=', userId)
    .where('token_id', '=', 0)
    .orderBy('id')
    .execute()
}

/** The log rows of a user's entries, oldest first. */
export function logsOf(db: Db, userId: number) {
  return db
    .selectFrom('usage_log')
    .select(['type', 'quota', 'content', 'other'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}
