import type { api, Settings } from '@tidegate/contract'

/** A statement for a spreadsheet: points as they are, and what they are worth. */
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
  return [HEADER, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
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

/** A text that begins like a formula would be one in a spreadsheet; numbers are left alone. */
function cell(value: string | number): string {
  if (typeof value === 'number' || /^-?[\d.]+$/.test(value)) return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
