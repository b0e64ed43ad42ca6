import { randomBytes } from 'node:crypto'
import { NO_USAGE, priceByRatios, toReceiptData, type Receipt } from '@tidegate/pricing'
import { sql } from 'kysely'
import type { Db } from '@tidegate/storage'
import { recordEntry } from '../src/entries/record-entry.ts'
import {
  buildSettlement,
  type Charge,
  type SettlementBase,
  type SettlementLog,
  type SettlementRecord,
  type SettledRequest,
} from '../src/settlement/settlement.ts'

export const quiet = { info: () => {}, warn: () => {}, error: () => {} }

export async function seedUser(db: Db, quota: number): Promise<number> {
  const name = `u${randomBytes(6).toString('hex')}`
  const { id } = await db
    .insertInto('user')
    .values({ username: name, display_name: name, aff_code: name })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordEntry(db, { userId: id, kind: 'signup_gift', amount: quota })
  return id
}

export async function seedToken(db: Db, owner: number, quota: number): Promise<number> {
  const { id } = await db
    .insertInto('token')
    .values({ user_id: owner, hash: randomBytes(8).toString('hex'), sealed_key: '', hint: '', name: 'a token' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordEntry(db, { userId: owner, tokenId: id, kind: 'token_limit', amount: quota })
  return id
}

const PRICE = priceByRatios(
  { priceName: 'a-model', group: 'default', groupRatio: 1, quotaPerUnit: 500_000 },
  {
    modelRatio: 0.5,
    completionRatio: 1,
    cacheRatio: 1,
    cacheWriteRatio: 1,
    cacheWrite1hRatio: 1,
    audioRatio: 1,
    audioCompletionRatio: 1,
  },
)

/** A request that cost `quota` and used as many tokens. */
export function outcome(quota: number, log: Partial<SettlementLog> = {}): SettledRequest {
  const at = new Date()
  const lines: Receipt['lines'] = [{ item: 'input', count: quota, rate: 1_000_000 }]
  return {
    usage: { ...NO_USAGE, input: quota },
    receipt: { quota, price: PRICE, lines, tiers: [], unpriced: [], estimated: false, at },
    log: {
      type: 2,
      createdAt: at.getTime(),
      username: 'alex',
      tokenName: 'a token',
      modelName: 'a-model',
      channelId: 0,
      group: 'default',
      isStream: false,
      useTimeMs: 1200,
      clientIp: '',
      firstTokenMs: -1000,
      timing: {},
      attempts: [],
      decision: { candidates: 0, passedOver: [], passedOverCount: 0 },
      ...log,
    },
  }
}

/** A charge of a request that cost `quota`, for the journal. */
export function chargeOf(base: SettlementBase, quota: number, log: Partial<SettlementLog> = {}): Charge {
  return { base, outcome: outcome(quota, log), charged: quota, keepLog: true }
}

/** The same as the database receives it. */
export function settlementOf(charge: Charge): SettlementRecord {
  const { outcome: settled } = charge
  return buildSettlement({ ...charge, outcome: { ...settled, receipt: toReceiptData(settled.receipt) } })
}

/** The credit of the accounts, including leases. */
export async function readBalances(db: Db, userId: number, tokenId: number) {
  const { rows } = await sql<{ user: number; token: number }>`
    select u.quota + coalesce((select sum(amount) from credit_lease where user_id = u.id and token_id = 0), 0)::bigint as user,
      t.remain_quota + coalesce((select sum(amount) from credit_lease where token_id = t.id), 0)::bigint as token
    from "user" u, token t where u.id = ${userId} and t.id = ${tokenId}`.execute(db)
  return rows[0]!
}

export async function readBooks(db: Db, userId: number, tokenId: number) {
  const user = await db
    .selectFrom('user')
    .select(['used_quota', 'request_count'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const token = await db.selectFrom('token').select('used_quota').where('id', '=', tokenId).executeTakeFirstOrThrow()
  const rollups = await db.selectFrom('usage_rollup').select('quota').where('user_id', '=', userId).execute()
  const logs = await db.selectFrom('usage_log').select('quota').where('user_id', '=', userId).orderBy('id').execute()
  return {
    usedByUser: user.used_quota,
    requests: user.request_count,
    usedByToken: token.used_quota,
    rolledUp: rollups.reduce((sum, { quota }) => sum + quota, 0),
    logged: logs.map(({ quota }) => quota),
  }
}
