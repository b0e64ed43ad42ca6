import { ApiError } from '@tidegate/contract'
import { recordEntry } from '@tidegate/ledger'
import type { Db } from '@tidegate/storage'
import { sql } from 'kysely'

/** Users, codes and payment orders written straight to the database, for claims without HTTP. */

export const REBATE_SETTINGS = { AffEnabled: true, RebateEnabled: true, RebatePercentage: 10 }

/** The connection pool of a database under test. More concurrent claims would only wait for a connection. */
export const CONNECTIONS = 20

let created = 0

function uniqueName(prefix: string): string {
  return `${prefix}${++created}${Math.random().toString(36).slice(2, 8)}`
}

interface UserOptions {
  quota?: number
  inviterId?: number
  earnings?: number
}

export async function addUser(db: Db, { quota = 0, inviterId, earnings = 0 }: UserOptions = {}): Promise<number> {
  const name = uniqueName('u')
  const { id } = await db
    .insertInto('user')
    .values({ username: name, display_name: name, aff_code: name, inviter_id: inviterId ?? null, aff_quota: earnings })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (quota > 0) await recordEntry(db, { userId: id, kind: 'setup_grant', amount: quota })
  return id
}

export async function addUsers(db: Db, count: number): Promise<number[]> {
  const users = Array.from({ length: count }, () => uniqueName('c')).map((name) => ({
    username: name,
    display_name: name,
    aff_code: name,
  }))
  const rows = await db.insertInto('user').values(users).returning('id').execute()
  return rows.map(({ id }) => id)
}

/** A redemption code. A shared code can be redeemed by `maxUses` users, any other code once. */
export async function addCode(db: Db, { isShared = false, maxUses = -1 } = {}): Promise<string> {
  const key = uniqueName('code')
  await db
    .insertInto('redemption')
    .values({ key, name: 'a code', created_by: 1, quota: 1000, is_gift: isShared, max_uses: maxUses, status: 1 })
    .execute()
  return key
}

export async function addPaymentOrder(db: Db, userId: number, quota: number): Promise<string> {
  const tradeNo = uniqueName('trade')
  await db
    .insertInto('top_up')
    .values({ user_id: userId, trade_no: tradeNo, units: '1', quota, money: '7.30', payment_method: 'zfb' })
    .execute()
  return tradeNo
}

export async function balanceOf(db: Db, userId: number): Promise<number> {
  const { quota } = await db.selectFrom('user').select('quota').where('id', '=', userId).executeTakeFirstOrThrow()
  return quota
}

/** Spends like a settled request: from the balance into the usage roll-up. Returns false if the balance is too low. */
export function spend(db: Db, userId: number, amount: number): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('user')
      .set({ quota: sql`quota - ${amount}` })
      .where('id', '=', userId)
      .where('quota', '>=', amount)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await transaction
      .insertInto('usage_rollup')
      .values({ user_id: userId, model_name: 'a-model', hour: new Date('2026-01-01Z'), requests: 1, quota: amount })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'hour', 'model_name'])
          .doUpdateSet((eb) => ({ quota: eb('usage_rollup.quota', '+', amount) })),
      )
      .execute()
    return true
  })
}

/** Runs the attempts concurrently. An `ApiError` is an expected rejection; any other error is thrown. */
export async function runConcurrently<Result>(attempts: (() => Promise<Result>)[]): Promise<{ results: Result[] }> {
  const results: Result[] = []
  const queue = attempts.values()

  async function runLane(): Promise<void> {
    for (const attempt of queue) {
      try {
        results.push(await attempt())
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
      }
    }
  }

  await Promise.all(Array.from({ length: CONNECTIONS }, runLane))
  return { results }
}

export function repeatConcurrently<Result>(
  count: number,
  attempt: () => Promise<Result>,
): Promise<{ results: Result[] }> {
  return runConcurrently(Array.from({ length: count }, () => attempt))
}
