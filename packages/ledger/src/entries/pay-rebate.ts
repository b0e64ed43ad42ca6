import { MAX_QUOTA, type Settings } from '@tidegate/contract'
import { type Db, users } from '@tidegate/storage'
import { inTransaction } from '../in-transaction.ts'
import { isRecorded, creditAccount, lockAccounts, writeLog } from './credit-account.ts'

export type RebateSettings = Pick<Settings, 'AffEnabled' | 'RebateEnabled' | 'RebatePercentage'>

export interface Rebate {
  payerId: number
  source: 'redemption' | 'top_up'
  /** The amount the payer was credited. */
  amount: number
  /** Names the payment; each payment has one rebate. */
  reference: string
  now: Date
  settings: RebateSettings
}

export function areRebatesEnabled({ AffEnabled, RebateEnabled, RebatePercentage }: RebateSettings): boolean {
  return AffEnabled && RebateEnabled && RebatePercentage > 0
}

/** Credits the inviter's share of a payment and returns it. Call it in the transaction of the payment. */
export async function payRebate(db: Db, rebate: Rebate): Promise<number> {
  const { payerId, source, reference, now, settings } = rebate
  if (!areRebatesEnabled(settings)) return 0
  return inTransaction(db, now, async (transaction) => {
    const { account: payer, inviter } = await lockAccounts(transaction, payerId, { withInviter: true })
    if (!inviter || inviter.deleted || (await isRecorded(transaction, inviter.id, 'rebate', reference))) return 0
    // An inviter with a full balance must not block the payment.
    const room = MAX_QUOTA - (await users.spendable(transaction, inviter.id))
    const amount = Math.min(rebateShare(rebate.amount, settings.RebatePercentage), room)
    if (amount <= 0) return 0

    const facts = { source, percentage: settings.RebatePercentage }
    const what = `${amount} points (${settings.RebatePercentage}% of a ${SOURCE_NAMES[source]})`
    await creditAccount(
      transaction,
      inviter,
      now,
      { kind: 'rebate', amount, reference, details: { payer_id: payerId, ...facts } },
      { type: 'system', event: 'rebate_received', content: `Rebate received: ${what}`, facts },
    )
    await writeLog(transaction, payer, now, {
      type: 'system',
      event: 'rebate_produced',
      content: `Rebate for your inviter: ${what}`,
      facts: { amount, ...facts },
    })
    return amount
  })
}

const SOURCE_NAMES = { redemption: 'redemption code', top_up: 'top-up' } as const

/** The share of an amount, rounded down. Percentages are whole basis points, so the arithmetic uses integers. */
export function rebateShare(amount: number, percentage: number): number {
  const basisPoints = BigInt(Math.round(percentage * 100))
  return Number((BigInt(amount) * basisPoints) / 10_000n)
}
