import { MAX_QUOTA } from '@tidegate/contract'
import type { Report } from '../report.ts'
import { count, text, time } from '../sources/cells.ts'
import type { Row, Source } from '../sources/source.ts'
import type { TopUpCargo } from './import-data.ts'

/** Orders that were paid, for the record: the balance has them already. */
export async function readTopUps(
  source: Source,
  report: Report,
  { owners, quotaPerUnit }: { owners: ReadonlySet<string>; quotaPerUnit: number },
): Promise<TopUpCargo[]> {
  if ((await source.columnsOf('top_ups')).size === 0) return []
  const topUps: TopUpCargo[] = []
  for await (const row of source.rows('top_ups')) {
    report.counts.top_ups.found += 1
    const note = (reason: string) =>
      report.note('top_ups', 'left', reason, text(row, 'trade_no') || `order ${text(row, 'id')}`)
    const quota = worthOf(row, quotaPerUnit)
    if (text(row, 'status') !== 'success') note('was not paid')
    else if (!owners.has(text(row, 'user_id'))) note('its payer does not come along')
    else if (!(quota >= 0 && quota <= MAX_QUOTA)) note('worth cannot be carried')
    else topUps.push(readTopUp(row, quota))
  }
  return topUps
}

function readTopUp(row: Row, quota: number): TopUpCargo {
  const method = text(row, 'payment_method')
  return {
    sourceId: text(row, 'id'),
    userSourceId: text(row, 'user_id'),
    columns: {
      trade_no: text(row, 'trade_no') || `imported-${text(row, 'id')}`,
      units: String(Math.max(0, count(row, 'amount'))),
      quota,
      money: String(Number(text(row, 'money')) || 0),
      payment_method: method,
      provider: method === 'stripe' ? 'stripe' : 'epay',
      created_at: time(row, 'create_time') ?? undefined,
      completed_at: time(row, 'complete_time') ?? time(row, 'create_time'),
    },
  }
}

/** Stripe's orders were credited by their money, Creem's in points, all others in units. */
function worthOf(row: Row, quotaPerUnit: number): number {
  const method = text(row, 'payment_method')
  if (method === 'stripe') return Math.round(Number(text(row, 'money')) * quotaPerUnit)
  return Math.round(count(row, 'amount') * (method === 'creem' ? 1 : quotaPerUnit))
}
