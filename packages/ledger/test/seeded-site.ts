import { randomBytes } from 'node:crypto'
import { computeReceipt, NO_USAGE, priceByRatios } from '@tidegate/pricing'
import { openVault, paymentReversals, type Db, type LogWriter } from '@tidegate/storage'
import { settleBatch } from '../src/settlement/apply-batch.ts'
import { settlementOf } from './books.ts'
import {
  changeBalance,
  checkIn,
  completeTopUp,
  creditSignup,
  redeemCode,
  rewardInvite,
  settleReversals,
  transferInviteEarnings,
} from '../src/index.ts'
import { reportTask } from '../src/tasks.ts'

export const vault = openVault(new Uint8Array(32).fill(7))
const origin = { clientIp: '127.0.0.1', requestId: 'a-request' }
const rebates = { AffEnabled: true, RebateEnabled: true, RebatePercentage: 10 }
let batches = 0

export interface TestSite {
  db: Db
  userId: number
  inviterId: number
  tokenId: number
  channelId: number
  taskId: number
}

/** A site on which every kind of balance change happened once, through product code. */
export async function seedSite(db: Db): Promise<TestSite> {
  const now = new Date()
  const inviterId = await addUser(db, null)
  const userId = await addUser(db, inviterId)
  const { id: tokenId } = await db
    .insertInto('token')
    .values({ user_id: userId, hash: text(), sealed_key: '', hint: '', name: 'laptop', unlimited_quota: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: channelId } = await db
    .insertInto('channel')
    .values({ type: 1, name: 'upstream', sealed_key: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('top_up')
    .values({ user_id: userId, trade_no: 'T1', units: '1', quota: 500_000, money: '1.00', payment_method: 'card' })
    .execute()
  await completeTopUp(db, { tradeNo: 'T1', settings: rebates, now })
  await refundQuarter(db, 'T1', now)
  await db.insertInto('redemption').values({ created_by: inviterId, key: 'code', name: 'code', quota: 3_000 }).execute()
  await redeemCode(db, { userId, key: 'code', now, settings: rebates })
  await checkIn(db, { userId, now, settings: { CheckInEnabled: true, CheckInQuota: 40, CheckInMaxQuota: 0 } })
  await changeBalance(db, { userId, actorId: inviterId, quota: 400_000, origin, now })
  await transferInviteEarnings(db, { userId: inviterId, quota: 150, settings: { QuotaPerUnit: 100 }, requestId: 'r1' })
  const { id: taskId } = await db
    .insertInto('task')
    .values({
      kind: 'video',
      user_id: userId,
      token_id: tokenId,
      request_id: text(),
      action: 'submit',
      status: 'SUBMITTED',
      secret: '',
      deadline_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const site = { db, userId, inviterId, tokenId, channelId, taskId }
  await settle(site, [{ tokens: 100 }, { tokens: 200, model: 'other-model' }, { tokens: 70, taskId }])
  await reportTask(db, { id: taskId, userId }, { status: 'FAILURE' }, now)
  return site
}

interface Call {
  tokens: number
  model?: string
  taskId?: number
  keepLog?: boolean
}

/** Settles requests in one batch, with real receipts. */
export async function settle(
  site: TestSite,
  calls: readonly Call[],
  holder = 'a-process',
  logs?: LogWriter,
): Promise<void> {
  const frame = { priceName: 'a-model', group: 'default', groupRatio: 1, quotaPerUnit: 500_000 }
  const ratios = {
    modelRatio: 2,
    completionRatio: 4,
    cacheRatio: 1,
    cacheWriteRatio: 1,
    cacheWrite1hRatio: 1,
    audioRatio: 1,
    audioCompletionRatio: 1,
  }
  const settlements = calls.map(({ tokens, model = 'a-model', taskId, keepLog = true }) => {
    const usage = { ...NO_USAGE, input: tokens, output: 10 }
    const receipt = computeReceipt(priceByRatios(frame, ratios), usage)
    const base = { requestId: text(), userId: site.userId, tokenId: site.tokenId, tokenUnlimited: true }
    const log = {
      type: 2,
      createdAt: Date.now(),
      username: 'user',
      tokenName: 'laptop',
      modelName: model,
      channelId: site.channelId,
      group: 'default',
      isStream: false,
      useTimeMs: 5,
      clientIp: '',
      firstTokenMs: -1000,
      timing: {},
      attempts: [],
      decision: { candidates: 1, passedOver: [], passedOverCount: 0 },
      ...(taskId !== undefined && { taskId }),
    }
    return settlementOf({ base, outcome: { usage, receipt, log }, charged: receipt.quota, keepLog })
  })
  await settleBatch(site.db, { holder, number: ++batches, logs }, settlements)
}

async function refundQuarter(db: Db, tradeNo: string, now: Date): Promise<void> {
  const { id } = await db.selectFrom('top_up').select('id').where('trade_no', '=', tradeNo).executeTakeFirstOrThrow()
  const refund = { provider: 'stripe', reference: 're_1', top_up_id: id, kind: 'refund', money: '0.25' } as const
  await paymentReversals.save(db, { ...refund, active: true, as_of: now })
  await settleReversals(db, id, { now, cause: 'refund' })
}

async function addUser(db: Db, inviterId: number | null): Promise<number> {
  const settings = { QuotaForNewUser: 1_000, AffEnabled: true, QuotaForInvitee: 50, QuotaForInviter: 200 }
  return db.transaction().execute(async (transaction) => {
    const { id } = await transaction
      .insertInto('user')
      .values({ username: text(), display_name: 'user', aff_code: text(), inviter_id: inviterId })
      .returning('id')
      .executeTakeFirstOrThrow()
    await creditSignup(transaction, { userId: id, settings })
    await rewardInvite(transaction, { userId: id, settings })
    return id
  })
}

function text(): string {
  return randomBytes(6).toString('hex')
}
