import { MOVEMENT_KINDS, type StatementLine } from '@tidegate/contract/api'
import { formatCallPrice, moneyRules } from '../../lib/format.ts'

export type Kind = (typeof MOVEMENT_KINDS)[number]

export const knownKind = (name: string): Kind | undefined => MOVEMENT_KINDS.find((kind) => kind === name)

/** `+$1.00`, `-$0.0123`. */
export function signedAmount(quota: number, rules = moneyRules()): string {
  return `${quota > 0 ? '+' : ''}${formatCallPrice(quota, rules)}`
}

/** The payment order of a top-up, of its reversal (`top_up:<order>:<number>`) or of a rebate; blank for other lines. */
export function orderNumber({ reference }: Pick<StatementLine, 'kind' | 'reference'>): string {
  return /^top_up:([^:]+)(:\d+)?$/.exec(reference)?.[1] ?? ''
}

/** The name of the cause, without the kind in front; one without a number in it only says the kind again. */
export function referenceName({ kind, reference }: Pick<StatementLine, 'kind' | 'reference'>): string {
  const order = orderNumber({ kind, reference })
  if (order) return order
  const name = reference.startsWith(`${kind}:`) ? reference.slice(kind.length + 1) : reference
  if (!/\d/.test(name)) return ''
  return kind === 'redemption' ? `#${name}` : name
}

/** There is something to say about what the line came from. */
export const hasReference = (line: StatementLine): boolean => line.requests > 0 || referenceName(line) !== ''
