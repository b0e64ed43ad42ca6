import { logEvent } from '@tidegate/contract'
import { completeTopUp, inTransaction, type Payment, type ReversalResult, settleReversals } from '@tidegate/ledger'
import { type Db, paymentEvents, paymentReversals, type TopUpRow, topUps } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { PaymentDeps, PaymentProvider, PaymentReport, ReportedReversal } from './provider.ts'

interface ReportSource {
  provider: PaymentProvider
  kind: 'callback' | 'recheck'
  clientIp: string
  by?: Payment['by']
}

/** Result of applying a report. */
export type Outcome =
  | 'credited'
  | 'repeated'
  | 'unpaid'
  | 'expired'
  | 'failed'
  | 'reversed'
  | 'restored'
  | 'recorded'
  | 'ignored'
  | 'unknown_order'
  | 'wrong_provider'
  | 'wrong_money'

/** Nothing is left to do. The provider gets a success response when it repeats such a report. */
export const FINAL_OUTCOMES: ReadonlySet<string> = new Set<Outcome>([
  'credited',
  'repeated',
  'unpaid',
  'expired',
  'failed',
  'reversed',
  'restored',
  'recorded',
  'ignored',
])

/** Prefix of this product's trade numbers. */
const OUR_TRADE_NO = /^USR\d+NO/

type ApplyDeps = Pick<Deps, 'db' | 'catalog' | 'log' | 'now' | 'site'>

/**
 * Stores a verified report and applies it in one transaction: credits the order or reverses credit. Repeated deliveries
 * have no further effect.
 */
export async function applyPaymentEvent(
  deps: ApplyDeps,
  report: PaymentReport,
  source: ReportSource,
): Promise<Outcome> {
  const { db, now, log } = deps
  const { provider, kind, clientIp } = source
  const order = await findOrder(deps, report, provider)
  const { outcome, reversal } = await inTransaction(db, now(), async (transaction) => {
    const event = await paymentEvents.record(transaction, {
      ...report,
      topUpId: order?.id ?? null,
      provider: provider.id,
      kind,
      clientIp,
      outcome: 'received',
    })
    // Reports without an order are tried again: the operator may have fixed the key that finds it.
    const isSettled = FINAL_OUTCOMES.has(event.outcome) && event.outcome !== 'ignored'
    if (event.deliveries > 1 && isSettled) return { outcome: 'repeated' as const }
    const done = order
      ? await applyTo(transaction, order, report, deps, source)
      : { outcome: outcomeWithoutOrder(report) }
    const isForeign = done.outcome === 'ignored' || done.outcome === 'wrong_provider'
    await paymentEvents.setOutcome(transaction, event.id, isForeign ? null : (order?.id ?? null), done.outcome)
    return done
  })
  if (reversal && reversal.changed) {
    const { changed: _changed, ...amounts } = reversal
    logEvent(log, 'payment.reversed', {
      provider: provider.id,
      tradeNo: order?.trade_no,
      type: report.type,
      ...amounts,
    })
  }
  return outcome
}

/** Finds the order by trade number, by payment, or by asking the provider. */
async function findOrder(
  { db, catalog, log, now, site }: ApplyDeps,
  { tradeNo, payment, reversals }: PaymentReport,
  provider: PaymentProvider,
): Promise<TopUpRow | undefined> {
  if (tradeNo !== '') return topUps.find(db, { tradeNo })
  if (payment === '') return undefined
  const known = await topUps.find(db, { provider: provider.id, payment })
  if (known || reversals.length === 0 || !provider.findTradeNo) return known
  const paymentDeps: PaymentDeps = { settings: catalog().settings, log, now, site }
  const found = await provider.findTradeNo(paymentDeps, payment)
  return found === '' ? undefined : topUps.find(db, { tradeNo: found })
}

/** Other products and sites may share the provider account. */
function outcomeWithoutOrder({ tradeNo }: PaymentReport): Outcome {
  return OUR_TRADE_NO.test(tradeNo) ? 'unknown_order' : 'ignored'
}

async function applyTo(
  db: Db,
  order: TopUpRow,
  report: PaymentReport,
  { catalog, now }: ApplyDeps,
  { provider, by }: ReportSource,
): Promise<{ outcome: Outcome; reversal?: ReversalResult }> {
  if (order.provider !== provider.id) return { outcome: 'wrong_provider' }
  const { id } = order
  const current = await topUps.lock(db, id)
  const differs = (ours: string, theirs: string) => ours !== '' && theirs !== '' && ours !== theirs
  if (differs(current.provider_reference, report.reference)) return { outcome: 'ignored' }
  const isEpay = provider.id === 'epay' // a gateway may use a new number for each payment attempt
  if (!isEpay && differs(current.payment_reference, report.payment)) return { outcome: 'ignored' }

  let outcome: Outcome = report.state === 'none' ? 'recorded' : 'unpaid'
  if (report.state === 'paid') {
    const agrees = report.money === order.money && report.currency === (order.currency || report.currency)
    if (!agrees) return { outcome: 'wrong_money' }
    const payment = { tradeNo: order.trade_no, settings: catalog().settings, now: now(), ...(by && { by }) }
    outcome = (await completeTopUp(db, payment)).credited ? 'credited' : 'repeated'
    await topUps.setPayment(db, id, report.payment)
    await paymentReversals.clearFailures(db, id, report.occurredAt)
  }
  if (report.state === 'expired') outcome = (await topUps.endUnpaid(db, id, 'expired')) ? 'expired' : 'recorded'
  if (report.state === 'failed') {
    outcome = 'failed'
    await topUps.endUnpaid(db, id, 'failed')
  }
  for (const row of reversalRows(order, report)) await paymentReversals.save(db, row)
  const reversal = await settleReversals(db, id, {
    now: now(),
    event: report.eventId ?? '',
    cause: report.state === 'failed' ? 'failure' : report.reversals.at(-1)?.kind,
    ...(by && { by }),
  })
  if (outcome !== 'credited' && outcome !== 'failed' && reversal.changed)
    outcome = reversal.difference > 0 ? 'reversed' : 'restored'
  return { outcome, reversal }
}

type Row = Parameters<typeof paymentReversals.save>[1]

/** Refunds, disputes and failures of a report, in the currency of the order. */
function reversalRows(order: TopUpRow, report: PaymentReport): Row[] {
  const shared = { provider: order.provider, top_up_id: order.id, as_of: report.occurredAt }
  const rows = report.reversals.map((reversal): Row => ({
    ...shared,
    kind: reversal.kind,
    reference: reversal.reference,
    money: moneyOf(reversal, order),
    status: reversal.status,
    active: reversal.active,
    final: reversal.final,
  }))
  if (report.state === 'failed')
    rows.push({
      ...shared,
      kind: 'failure',
      reference: `${report.reference || order.trade_no}:failure`,
      money: order.money,
      status: 'failed',
      active: true,
    })
  return rows
}

/** In another currency, the amount follows from the share alone; without a share, it counts as the whole payment. */
function moneyOf({ money, currency, share }: ReportedReversal, order: TopUpRow): string {
  if (currency === (order.currency || currency) && money !== '') return money
  if (!share || share.whole <= 0) return order.money
  const hundredths = BigInt(order.money.replace('.', ''))
  const part = String((hundredths * BigInt(share.part)) / BigInt(share.whole)).padStart(3, '0')
  return `${part.slice(0, -2)}.${part.slice(-2)}`
}
