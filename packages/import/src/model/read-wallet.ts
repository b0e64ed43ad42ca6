import { api, MAX_QUOTA } from '@tidegate/contract'
import type { Report } from '../report.ts'
import { count, flag, integer, text, unixTime } from '../sources/cells.ts'
import type { Row, Source } from '../sources/source.ts'
import type { ImportRedemption, ImportTopUp } from './import-data.ts'

const { unused, disabled, used } = api.REDEMPTION_STATUS

/** Codes that were not removed. Used codes stay used. */
export async function readRedemptions(source: Source, report: Report): Promise<ImportRedemption[]> {
  if ((await source.columnsOf('redemptions')).size === 0) return []
  const redemptions: ImportRedemption[] = []
  for await (const row of source.rows('redemptions')) {
    report.counts.redemptions.found += 1
    const redemption = readRedemption(row, report)
    if (redemption) redemptions.push(redemption)
  }
  return redemptions
}

function readRedemption(row: Row, report: Report): ImportRedemption | undefined {
  const note = (reason: string) =>
    report.note('redemptions', 'left', reason, `${text(row, 'name')} (${text(row, 'id')})`)
  const key = text(row, 'key').trim()
  const quota = integer(row, 'quota')
  if (row.deleted_at) return note('deleted in the source')
  if (key === '') return note('has no key')
  if (quota === undefined || quota < 0 || quota > MAX_QUOTA) return note('quota is invalid or too large')

  const status = [unused, disabled, used].find((known) => known === count(row, 'status')) ?? disabled
  const isGift = flag(row, 'is_gift')
  return {
    sourceId: text(row, 'id'),
    makerSourceId: text(row, 'user_id'),
    userSourceId: count(row, 'used_user_id') > 0 ? text(row, 'used_user_id') : '',
    columns: {
      key,
      status,
      name: text(row, 'name').trim() || 'code',
      quota,
      is_gift: isGift,
      max_uses: isGift && count(row, 'max_uses') > 0 ? count(row, 'max_uses') : api.UNLIMITED_USES,
      used_count: Math.max(count(row, 'used_count'), status === used ? 1 : 0),
      valid_from: unixTime(row, 'valid_from'),
      valid_until: unixTime(row, 'valid_until') ?? unixTime(row, 'expired_time'),
      created_at: unixTime(row, 'created_time') ?? undefined,
      redeemed_at: unixTime(row, 'redeemed_time'),
    },
  }
}

/** Paid orders, for the record. The balance already includes them. */
export async function readTopUps(
  source: Source,
  report: Report,
  { owners, quotaPerUnit }: { owners: ReadonlySet<string>; quotaPerUnit: number },
): Promise<ImportTopUp[]> {
  if ((await source.columnsOf('top_ups')).size === 0) return []
  const topUps: ImportTopUp[] = []
  for await (const row of source.rows('top_ups')) {
    report.counts.top_ups.found += 1
    const note = (reason: string) =>
      report.note('top_ups', 'left', reason, text(row, 'trade_no') || `order ${text(row, 'id')}`)
    const quota = quotaOf(row, quotaPerUnit)
    if (text(row, 'status') !== 'success') note('was not paid')
    else if (!owners.has(text(row, 'user_id'))) note('its payer is not imported')
    else if (!(quota >= 0 && quota <= MAX_QUOTA)) note('quota is invalid or too large')
    else topUps.push(readTopUp(row, quota))
  }
  return topUps
}

function readTopUp(row: Row, quota: number): ImportTopUp {
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
      created_at: unixTime(row, 'create_time') ?? undefined,
      completed_at: unixTime(row, 'complete_time') ?? unixTime(row, 'create_time'),
    },
  }
}

/** Stripe orders were credited by their amount of money, Creem orders in points, all others in units. */
function quotaOf(row: Row, quotaPerUnit: number): number {
  const method = text(row, 'payment_method')
  if (method === 'stripe') return Math.round(Number(text(row, 'money')) * quotaPerUnit)
  return Math.round(count(row, 'amount') * (method === 'creem' ? 1 : quotaPerUnit))
}
