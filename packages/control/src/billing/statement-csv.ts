import type { api, Settings } from '@tidegate/contract'
import { csvLine } from '../http/csv.ts'

/** A statement as CSV, in points and dollars. */
export function statementCsv(
  lines: readonly api.StatementLine[],
  { QuotaPerUnit }: Pick<Settings, 'QuotaPerUnit'>,
): string {
  const dollars = (quota: number) => (quota / QuotaPerUnit).toFixed(6)
  const rows = lines.map((line) => [
    new Date(line.created_at * 1000).toISOString(),
    line.kind,
    line.amount,
    dollars(line.amount),
    line.balance,
    dollars(line.balance),
    line.requests,
    line.reference,
    line.actor,
  ])
  return [HEADER, ...rows].map(csvLine).join('')
}

const HEADER = [
  'time',
  'kind',
  'amount',
  'amount_usd',
  'balance',
  'balance_usd',
  'requests',
  'reference',
  'administrator',
]
