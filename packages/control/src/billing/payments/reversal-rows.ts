import type { paymentReversals, TopUpRow } from '@tidegate/storage'
import type { PaymentReport, ReportedReversal } from './provider.ts'

type Row = Parameters<typeof paymentReversals.save>[1]

/** The refunds, disputes and failures of a report, in the money of the order. */
export function reversalRows(order: TopUpRow, report: PaymentReport): Row[] {
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

/** In another currency than the order's only the share says how much it is; without one it counts as everything. */
function moneyOf({ money, currency, share }: ReportedReversal, order: TopUpRow): string {
  if (currency === (order.currency || currency) && money !== '') return money
  if (!share || share.whole <= 0) return order.money
  const hundredths = BigInt(order.money.replace('.', ''))
  const part = String((hundredths * BigInt(share.part)) / BigInt(share.whole)).padStart(3, '0')
  return `${part.slice(0, -2)}.${part.slice(-2)}`
}
