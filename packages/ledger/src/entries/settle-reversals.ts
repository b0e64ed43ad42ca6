import {
  auditEvents,
  type Db,
  type PaymentReversalRow,
  paymentReversals,
  publish,
  topUps,
  users,
} from '@tidegate/storage'
import { inTransaction } from '../in-transaction.ts'
import { type AdminAction, lockAccounts, type LockedAccount, writeLog } from './credit-account.ts'
import { type EntryKind, recordEntry } from './record-entry.ts'

interface ReversalCause {
  now: Date
  /** Omitted if only a debt is collected. */
  cause?: PaymentReversalRow['kind'] | undefined
  /** The payment provider's event. */
  event?: string
  by?: AdminAction
}

export interface ReversalResult {
  /** Whether the reversed amount changed, or a part of a debt was collected. */
  changed: boolean
  /** The change of the reversed credit; negative if a dispute was won. */
  difference: number
  owed: number
  rebateOwed: number
}

const KINDS = {
  refund: 'top_up_refund',
  dispute: 'top_up_dispute',
  failure: 'top_up_failed',
} as const satisfies Record<string, EntryKind>

/**
 * Brings the ledger in line with the stored refunds and disputes of an order: takes the credit and the inviter's rebate
 * in proportion to the money, or returns them. A balance does not go below zero; the rest stays owed, and later calls
 * collect it.
 */
export async function settleReversals(db: Db, topUpId: number, cause: ReversalCause): Promise<ReversalResult> {
  return inTransaction(db, cause.now, async (transaction) => {
    const order = await topUps.lock(transaction, topUpId)
    const active = await paymentReversals.listActive(transaction, topUpId)
    const before = { owed: order.owed_quota, rebateOwed: order.rebate_owed }
    // An order that was not credited has nothing to reverse; its refunds wait for the payment.
    const isIdle = active.length === 0 && order.reversed_quota === 0 && order.reversal === ''
    if (order.status !== 'success' || isIdle) return { changed: false, difference: 0, ...before }

    const whole = toCents(order.money)
    const sum = active.reduce((total, { money }) => total + toCents(money), 0n)
    const part = sum < whole ? sum : whole
    const { account, inviter } = await lockAccounts(transaction, order.user_id, { withInviter: true })
    const kind = KINDS[cause.cause ?? kindOf(active)]
    const number = order.reversal_entries + 1
    const settle = (owner: LockedAccount, entryKind: EntryKind, held: ReversalState, target: number) =>
      settleAccount(transaction, owner, held, {
        target,
        kind: entryKind,
        reference: `top_up:${order.trade_no}:${number}`,
        money: fromCents(part),
        cause,
      })

    const held = { reversed: order.reversed_quota, owed: order.owed_quota }
    const payer = await settle(account, kind, held, proportionOf(order.quota, part, whole))
    const rebate = inviter ? await rebateOf(transaction, inviter.id, order.trade_no) : 0
    const heldRebate = { reversed: order.rebate_reversed, owed: order.rebate_owed }
    const inviters =
      inviter && rebate > 0
        ? await settle(inviter, 'rebate_reversal', heldRebate, proportionOf(rebate, part, whole))
        : { ...heldRebate, amount: 0 }

    const difference = payer.reversed - order.reversed_quota
    const changed = difference !== 0 || payer.amount !== 0 || inviters.amount !== 0
    await transaction
      .updateTable('top_up')
      .set({
        reversal: reversalStatus(active, part, whole),
        reversed_money: fromCents(part),
        reversed_quota: payer.reversed,
        owed_quota: payer.owed,
        rebate_user_id: rebate > 0 ? inviter!.id : order.rebate_user_id,
        rebate_reversed: inviters.reversed,
        rebate_owed: inviters.owed,
        reversal_entries: changed ? number : order.reversal_entries,
      })
      .where('id', '=', topUpId)
      .execute()
    if (changed)
      await auditEvents.record(transaction, {
        actorId: cause.by?.actorId ?? null,
        action: 'top_up.reverse',
        subject: order.trade_no,
        details: {
          user_id: order.user_id,
          kind,
          money: fromCents(part),
          amount: payer.amount,
          owed: payer.owed,
          rebate: inviters.amount,
          rebate_owed: inviters.owed,
          event: cause.event ?? '',
        },
        clientIp: cause.by?.origin.clientIp ?? '',
        requestId: cause.by?.origin.requestId ?? '',
      })
    return { changed, difference, owed: payer.owed, rebateOwed: inviters.owed }
  })
}

/** Collects debts that balances cover by now: returned leases, or a later top-up. Returns the number of orders. */
export async function collectDebts(db: Db, { limit, now }: { limit: number; now: Date }): Promise<number> {
  let collected = 0
  for (const id of await topUps.findCollectable(db, limit))
    if ((await settleReversals(db, id, { now })).changed) collected += 1
  return collected
}

interface AccountReversal {
  target: number
  kind: EntryKind
  reference: string
  money: string
  cause: ReversalCause
}

async function settleAccount(
  db: Db,
  account: LockedAccount,
  held: ReversalState,
  { target, kind, reference, money, cause }: AccountReversal,
): Promise<ReversalState & { amount: number }> {
  const { quota } = await db.selectFrom('user').select('quota').where('id', '=', account.id).executeTakeFirstOrThrow()
  const settled = adjustReversal(held, target, quota)
  const { amount, owed } = settled
  // Gateways then return idle credit, which the worker collects.
  if (amount < 0 || owed > 0) await publish(db, { kind: 'credit', userId: account.id })
  if (amount === 0) return settled
  const before = await users.spendable(db, account.id)
  const details = { money, owed, event: cause.event ?? '' }
  await recordEntry(db, { userId: account.id, kind, amount, reference, actorId: cause.by?.actorId, details })
  const size = Math.abs(amount)
  await writeLog(db, account, cause.now, {
    type: 'system',
    event: amount < 0 ? kind : kind === 'rebate_reversal' ? 'rebate_returned' : 'top_up_returned',
    content: `${amount < 0 ? 'Payment reversed' : 'Payment reversal returned'} (${kind}): ${size} points`,
    facts: { amount: size, before, after: before + amount, money, owed },
  })
  return settled
}

async function rebateOf(db: Db, inviterId: number, tradeNo: string): Promise<number> {
  const entry = await db
    .selectFrom('ledger_entry')
    .select('amount')
    .where('user_id', '=', inviterId)
    .where('token_id', '=', 0)
    .where('kind', '=', 'rebate')
    .where('reference', '=', `top_up:${tradeNo}`)
    .executeTakeFirst()
  return entry?.amount ?? 0
}

const kindOf = (active: readonly PaymentReversalRow[]) =>
  (['failure', 'dispute'] as const).find((kind) => active.some((one) => one.kind === kind)) ?? 'refund'

function reversalStatus(active: readonly PaymentReversalRow[], part: bigint, whole: bigint) {
  const kind = kindOf(active)
  if (part === 0n) return '' as const
  if (kind === 'failure') return 'failed' as const
  if (kind === 'dispute') return 'disputed' as const
  return part < whole ? ('partly_refunded' as const) : ('refunded' as const)
}

function toCents(money: string): bigint {
  const [units = '0', cents = ''] = money.split('.')
  return BigInt(units + cents.padEnd(2, '0').slice(0, 2))
}

function fromCents(value: bigint): string {
  const digits = String(value).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The reversal of one account: the total, and the part that the balance did not cover. */
interface ReversalState {
  reversed: number
  owed: number
}

/** The proportion of an amount for a part of the money, rounded down; the whole amount for all of the money. */
function proportionOf(amount: number, part: bigint, whole: bigint): number {
  if (whole <= 0n || part >= whole) return part > 0n ? amount : 0
  return Number((BigInt(amount) * part) / whole)
}

/**
 * Changes a reversal to a new target. What the balance does not cover is owed; a lower target first reduces the debt
 * and then returns credit. `amount` is the change of the balance; it never takes more than the balance.
 */
function adjustReversal(
  { reversed, owed }: ReversalState,
  target: number,
  balance: number,
): ReversalState & { amount: number } {
  const difference = target - reversed
  const due = owed + difference
  const returned = Math.max(0, -due)
  const taken = Math.min(Math.max(0, due), Math.max(0, balance))
  return { reversed: target, owed: Math.max(0, due) - taken, amount: returned - taken }
}
