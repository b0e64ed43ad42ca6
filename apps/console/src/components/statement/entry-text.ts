import { MOVEMENT_KINDS, type StatementLine } from '@tidegate/contract/api'
import { dollars, formatCount, moneyRules } from '../../lib/format.ts'

type Kind = (typeof MOVEMENT_KINDS)[number]

export const knownKind = (name: string): Kind | undefined => MOVEMENT_KINDS.find((kind) => kind === name)

/** Decimals of all amounts of a page: two, or four if an amount is below a cent. */
export function decimalsOf(entries: readonly Pick<StatementLine, 'amount'>[], { quotaPerUnit } = moneyRules()): number {
  const cent = quotaPerUnit / 100
  return entries.some(({ amount }) => amount !== 0 && Math.abs(amount) < cent) ? 4 : 2
}

/** `$4.50`. */
export function formatEntryAmount(quota: number, decimals: number, rules = moneyRules()): string {
  return rules.inCurrency ? dollars(quota / rules.quotaPerUnit, decimals, decimals) : formatCount(quota)
}

/** `+$1.00`, `-$0.0123`. */
export function signedAmount(quota: number, decimals: number, rules = moneyRules()): string {
  return `${quota > 0 ? '+' : ''}${formatEntryAmount(quota, decimals, rules)}`
}

/** The payment order of a top-up, of its reversal (`top_up:<order>:<number>`) or of a rebate; blank for other entries. */
export function orderNumber({ reference }: Pick<StatementLine, 'kind' | 'reference'>): string {
  return /^top_up:([^:]+)(:\d+)?$/.exec(reference)?.[1] ?? ''
}

/** The cause without its kind. Blank if it has no number, because it would only repeat the kind. */
export function referenceName({ kind, reference }: Pick<StatementLine, 'kind' | 'reference'>): string {
  const order = orderNumber({ kind, reference })
  if (order) return order
  const name = reference.startsWith(`${kind}:`) ? reference.slice(kind.length + 1) : reference
  if (!/\d/.test(name)) return ''
  return kind === 'redemption' ? `#${name}` : name
}

/** The usage log of the day of an entry, in the time zone of the browser. */
export function usageLogPath({ created_at }: Pick<StatementLine, 'created_at'>, username: string): string {
  const time = new Date(created_at * 1000)
  const midnight = (day: number) => new Date(time.getFullYear(), time.getMonth(), day).getTime() / 1000
  const start = midnight(time.getDate())
  const end = midnight(time.getDate() + 1) - 1
  const search = new URLSearchParams({ start: String(start), end: String(end) })
  if (username) search.set('username', username)
  return `/app/logs/api-usage?${search}`
}
