import type { Selectable } from 'kysely'
import { ApiError } from '@tidegate/contract'
import type { Db, RedemptionTable } from '@tidegate/storage'
import { creditAccount, lockActiveAccount } from './credit-account.ts'
import { inTransaction } from '../in-transaction.ts'
import { areRebatesEnabled, payRebate, type RebateSettings } from './pay-rebate.ts'

export interface RedemptionRequest {
  userId: number
  key: string
  /** Possible hashes of the key. Codes of earlier versions are stored as plain text. */
  keyHashes?: readonly string[]
  now: Date
  settings: RebateSettings
}

type Code = Selectable<RedemptionTable>

const STATUS = { disabled: 2, used: 3 } as const

/** Credits a redemption code to a user, and the rebate to the inviter. */
export async function redeemCode(db: Db, claim: RedemptionRequest): Promise<{ quota: number; isGift: boolean }> {
  const { userId, now, settings } = claim
  return inTransaction(db, now, async (transaction) => {
    const code = await lockCode(transaction, claim)
    checkCode(code, now)
    await recordUse(transaction, code, claim)

    const reference = `redemption:${code.id}`
    const rebated = !code.is_gift && areRebatesEnabled(settings) // a free code is not revenue
    const { account } = await lockActiveAccount(transaction, userId, { withInviter: rebated })
    await creditAccount(
      transaction,
      account,
      now,
      { kind: 'redemption', amount: code.quota, reference },
      {
        type: 'topUp',
        event: code.is_gift ? 'gift_code' : 'redemption_code',
        content: `${code.is_gift ? 'Gift' : 'Redemption'} code ${code.id}: ${code.quota} points`,
        facts: { redemption_id: code.id },
      },
    )
    if (rebated) {
      await payRebate(transaction, {
        payerId: userId,
        source: 'redemption',
        amount: code.quota,
        reference,
        now,
        settings,
      })
    }
    return { quota: code.quota, isGift: code.is_gift }
  })
}

/** Concurrent redemptions of one code wait here. */
async function lockCode(db: Db, { key, keyHashes = [] }: RedemptionRequest): Promise<Code> {
  const code = await db
    .selectFrom('redemption')
    .selectAll()
    .where((eb) => eb.or([eb('key_hash', '=', eb.fn.any(eb.val([...keyHashes]))), eb('key', '=', key.trim())]))
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!code) throw new ApiError('redemption_invalid')
  return code
}

function checkCode(code: Code, now: Date): void {
  if (code.status === STATUS.disabled) throw new ApiError('redemption_disabled')
  if (code.valid_from && now < code.valid_from) throw new ApiError('redemption_not_started')
  if (code.valid_until && now > code.valid_until) throw new ApiError('redemption_expired')
  if (code.status === STATUS.used || code.used_count >= maxUses(code)) throw new ApiError('redemption_used')
}

async function recordUse(db: Db, code: Code, { userId, now }: RedemptionRequest): Promise<void> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('redemption_use')
    .values({ redemption_id: code.id, user_id: userId, used_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) throw new ApiError('redemption_repeated')
  const used_count = code.used_count + 1
  await db
    .updateTable('redemption')
    .set({
      used_count,
      ...(used_count >= maxUses(code) && { status: STATUS.used }),
      ...(!code.is_gift && { redeemed_at: now, used_user_id: userId }),
    })
    .where('id', '=', code.id)
    .execute()
}

/** The number of users who can redeem a code. With `is_gift`, a negative maximum means no limit. */
function maxUses(code: Code): number {
  if (!code.is_gift) return 1
  return code.max_uses < 0 ? Infinity : code.max_uses
}
