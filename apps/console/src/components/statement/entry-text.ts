import { MOVEMENT_KINDS, type StatementLine } from '@tidegate/contract/api'
import { formatCallPrice, moneyRules } from '../../lib/format.ts'

type Kind = (typeof MOVEMENT_KINDS)[number]

export const knownKind = (name: string): Kind | undefined => MOVEMENT_KINDS.find((kind) => kind === name)

/** `+$1.00`, `-$0.0123`. */
export function signedAmount(quota: number, rules = moneyRules()): string {
  return `${quota > 0 ? '+' : ''}${formatCallPrice(quota, rules)}`
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

/** The entry has a cause to show. */
export const hasReference = (entry: StatementLine): boolean => entry.requests > 0 || referenceName(entry) !== ''
