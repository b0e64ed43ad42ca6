import { sql } from 'kysely'
import { completionTokens, promptTokens, type Receipt, type Usage } from '@tidegate/pricing'
import { ensureUsageLogPartitions, type Db } from '@tidegate/storage'
import { closeLeases } from './leases.ts'

/** What the usage log tells of a settled call beside its price. */
export interface CallRecord {
  type: number
  createdAt: Date
  username: string
  tokenName: string
  modelName: string
  channelId: number
  group: string
  isStream: boolean
  useTimeMs: number
  clientIp: string
  content: string
  other: Record<string, unknown>
}

export interface Settlement {
  requestId: string
  userId: number
  /** 0 when no token is involved. */
  tokenId: number
  tokenUnlimited: boolean
  usage: Usage
  receipt: Receipt
  log: CallRecord
  /** False when the operator keeps no log of calls; money and roll-ups are booked all the same. */
  keepLog: boolean
}

/** Identifies one settlement of one process, so that a retry after an ambiguous commit is applied once. */
export interface BatchId {
  holder: string
  batch: number
}

/** Books a call: balance, token, channel, roll-up and log row change together or not at all. */
export async function settle(db: Db, id: BatchId, settlement: Settlement): Promise<void> {
  try {
    await book(db, id, settlement)
  } catch (error) {
    // The worker makes partitions days ahead; a site that ran without one must still be able to bill.
    if (!isMissingPartition(error)) throw error
    await ensureUsageLogPartitions(db, { from: settlement.log.createdAt, days: 1 })
    await book(db, id, settlement)
  }
}

async function book(db: Db, id: BatchId, settlement: Settlement): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (!(await claimBatch(transaction, id))) return
    const reserved = await closeLeases(transaction, settlement.requestId)
    await chargeUser(transaction, settlement, reserved.get(0) ?? 0)
    await chargeToken(transaction, settlement, reserved.get(settlement.tokenId) ?? 0)
    await addToChannel(transaction, settlement)
    await addToRollup(transaction, settlement)
    if (settlement.keepLog) await insertLog(transaction, settlement)
  })
}

async function claimBatch(db: Db, { holder, batch }: BatchId): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('settlement_batch')
    .values({ holder, batch, receipts: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

async function chargeUser(db: Db, { userId, receipt, usage }: Settlement, reserved: number): Promise<void> {
  const counted = isUsed(usage) ? 1 : 0
  await db
    .updateTable('user')
    .set({
      quota: sql`quota + ${reserved - receipt.quota}`,
      used_quota: sql`used_quota + ${receipt.quota}`,
      request_count: sql`request_count + ${counted}`,
    })
    .where('id', '=', userId)
    .execute()
}

async function chargeToken(db: Db, settlement: Settlement, reserved: number): Promise<void> {
  const { tokenId, tokenUnlimited, receipt, log } = settlement
  if (tokenId === 0) return
  const drawn = tokenUnlimited ? 0 : receipt.quota - reserved
  await db
    .updateTable('token')
    .set({
      remain_quota: sql`remain_quota - ${drawn}`,
      used_quota: sql`used_quota + ${receipt.quota}`,
      accessed_at: log.createdAt,
      status: sql`case when status = 1 and not unlimited_quota and remain_quota - ${drawn} <= 0 then 4 else status end`,
    })
    .where('id', '=', tokenId)
    .execute()
}

async function addToChannel(db: Db, { receipt, log }: Settlement): Promise<void> {
  if (receipt.quota === 0) return
  await db
    .updateTable('channel')
    .set({ used_quota: sql`used_quota + ${receipt.quota}` })
    .where('id', '=', log.channelId)
    .execute()
}

async function addToRollup(db: Db, { userId, usage, receipt, log }: Settlement): Promise<void> {
  const amounts = {
    quota: receipt.quota,
    prompt_tokens: promptTokens(usage),
    completion_tokens: completionTokens(usage),
  }
  const hour = new Date(Math.floor(log.createdAt.getTime() / 3_600_000) * 3_600_000)
  await db
    .insertInto('usage_rollup')
    .values({ user_id: userId, model_name: log.modelName, hour, requests: 1, ...amounts })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'hour', 'model_name']).doUpdateSet((eb) => ({
        requests: eb('usage_rollup.requests', '+', 1),
        quota: eb('usage_rollup.quota', '+', amounts.quota),
        prompt_tokens: eb('usage_rollup.prompt_tokens', '+', amounts.prompt_tokens),
        completion_tokens: eb('usage_rollup.completion_tokens', '+', amounts.completion_tokens),
      })),
    )
    .execute()
}

async function insertLog(db: Db, { requestId, userId, tokenId, usage, receipt, log }: Settlement): Promise<void> {
  await db
    .insertInto('usage_log')
    .values({
      created_at: log.createdAt,
      type: log.type,
      user_id: userId,
      username: log.username,
      token_id: tokenId,
      token_name: log.tokenName,
      model_name: log.modelName,
      quota: receipt.quota,
      prompt_tokens: promptTokens(usage),
      completion_tokens: completionTokens(usage),
      use_time_ms: log.useTimeMs,
      is_stream: log.isStream,
      channel_id: log.channelId,
      group: log.group,
      client_ip: log.clientIp,
      request_id: requestId,
      content: log.content,
      other: JSON.stringify(log.other),
    })
    .execute()
}

/** Postgres reports a row that no partition takes as a violated check of the table itself, which has no such constraint. */
function isMissingPartition(error: unknown): boolean {
  const { code, table, constraint } = error as { code?: string; table?: string; constraint?: string }
  return code === '23514' && table === 'usage_log' && constraint === undefined
}

function isUsed(usage: Usage): boolean {
  return promptTokens(usage) + completionTokens(usage) > 0
}

/** Settlements so old that no process can still be retrying them need no mark any more. */
export async function purgeSettlementBatches(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('settlement_batch').where('applied_at', '<', before).execute()
}
