import { ApiError, type ErrorCode } from '@tidegate/contract'
import type { Db } from '@tidegate/storage'
import { addToAccount, recordEntry, takeFromAccount } from '../../src/entries/record-entry.ts'

let made = 0
const unique = (kind: string) => `${kind}${++made}${Math.random().toString(36).slice(2, 8)}`

export const NO_REBATE = { AffEnabled: true, RebateEnabled: false, RebatePercentage: 10 }
export const TEN_PERCENT = { AffEnabled: true, RebateEnabled: true, RebatePercentage: 10 }

export async function seedUser(
  db: Db,
  { quota = 0, inviterId = null, earnings = 0 }: { quota?: number; inviterId?: number | null; earnings?: number } = {},
): Promise<number> {
  const name = unique('u')
  const { id } = await db
    .insertInto('user')
    .values({ username: name, display_name: name, aff_code: name, inviter_id: inviterId, aff_quota: earnings })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (quota > 0) await recordEntry(db, { userId: id, kind: 'setup_grant', amount: quota })
  return id
}

/** Creates many users in one statement, for tests in which all of them redeem the same code. */
export async function seedUsers(db: Db, size: number): Promise<number[]> {
  const users = Array.from({ length: size }, () => unique('c')).map((name) => ({
    username: name,
    display_name: name,
    aff_code: name,
  }))
  const rows = await db.insertInto('user').values(users).returning('id').execute()
  return rows.map(({ id }) => id)
}

interface CodeOptions {
  quota?: number
  isGift?: boolean
  maxUses?: number
  status?: number
  validFrom?: Date
  validUntil?: Date
}

export async function seedCode(db: Db, options: CodeOptions = {}): Promise<string> {
  const key = unique('code')
  await db
    .insertInto('redemption')
    .values({
      key,
      name: 'a code',
      created_by: 1,
      quota: options.quota ?? 1000,
      is_gift: options.isGift ?? false,
      max_uses: options.maxUses ?? -1,
      status: options.status ?? 1,
      valid_from: options.validFrom ?? null,
      valid_until: options.validUntil ?? null,
    })
    .execute()
  return key
}

export async function seedOrder(db: Db, userId: number, quota: number): Promise<string> {
  const trade_no = unique('trade')
  await db
    .insertInto('top_up')
    .values({ user_id: userId, trade_no, units: '1', quota, money: '7.30', payment_method: 'zfb' })
    .execute()
  return trade_no
}

export async function balanceOf(db: Db, userId: number): Promise<number> {
  const { quota } = await db.selectFrom('user').select('quota').where('id', '=', userId).executeTakeFirstOrThrow()
  return quota
}

/** Spends like a settled request: balance and roll-up. False if the balance is insufficient. */
export function spend(db: Db, userId: number, amount: number): Promise<boolean> {
  return db.transaction().execute((transaction) => settleDirectly(transaction, userId, amount))
}

/** Spends on several accounts in one transaction like a settlement batch: lowest id first. */
export async function settleBatch(db: Db, userIds: number[], amount: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const userId of userIds.toSorted((a, b) => a - b)) await settleDirectly(transaction, userId, amount)
  })
}

export async function settleDirectly(db: Db, userId: number, amount: number): Promise<boolean> {
  if (!(await takeFromAccount(db, userId, 0, amount))) return false
  await db
    .insertInto('usage_rollup')
    .values({ user_id: userId, model_name: 'a-model', hour: new Date('2026-01-01Z'), requests: 1, quota: amount })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'hour', 'model_name'])
        .doUpdateSet((eb) => ({ quota: eb('usage_rollup.quota', '+', amount) })),
    )
    .execute()
  return true
}

/** Reserves credit like a gateway. */
export function lease(db: Db, userId: number, amount: number): Promise<boolean> {
  return db.transaction().execute((transaction) => takeLease(transaction, userId, amount))
}

export async function takeLease(db: Db, userId: number, amount: number): Promise<boolean> {
  if (!(await takeFromAccount(db, userId, 0, amount))) return false
  await db
    .insertInto('credit_lease')
    .values({ user_id: userId, holder: 'a gateway', amount })
    .onConflict((conflict) =>
      conflict
        .columns(['holder', 'user_id', 'token_id'])
        .doUpdateSet((eb) => ({ amount: eb('credit_lease.amount', '+', amount) })),
    )
    .execute()
  return true
}

/** Returns all leases of an account. */
export async function returnLeases(db: Db, userId: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const returned = await transaction
      .deleteFrom('credit_lease')
      .where('user_id', '=', userId)
      .returning('amount')
      .execute()
    for (const { amount } of returned) await addToAccount(transaction, userId, 0, amount)
  })
}

/** The results of concurrent attempts. */
export interface Race<Result> {
  won: Result[]
  /** The count of each error. */
  rejected: Partial<Record<ErrorCode, number>>
}

/** The number of connections of a test database: more attempts would only wait for one. */
export const CONCURRENCY = 20

/** Runs attempts concurrently. An ApiError is a result; any other error fails the race. */
export async function race<Result>(attempts: (() => Promise<Result>)[]): Promise<Race<Result>> {
  const outcome: Race<Result> = { won: [], rejected: {} }
  const left = attempts.values()

  async function runLane(): Promise<void> {
    for (const attempt of left) {
      try {
        outcome.won.push(await attempt())
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        outcome.rejected[error.code] = (outcome.rejected[error.code] ?? 0) + 1
      }
    }
  }

  await Promise.all(times(CONCURRENCY, runLane))
  return outcome
}

export function times<Result>(count: number, make: (index: number) => Result): Result[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
