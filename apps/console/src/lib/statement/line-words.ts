import { MOVEMENT_KINDS, type StatementLine } from '@tidegate/contract/api'
import { formatCallPrice, moneyRules } from '../format.ts'

export type Kind = (typeof MOVEMENT_KINDS)[number]

export const knownKind = (name: string): Kind | undefined => MOVEMENT_KINDS.find((kind) => kind === name)

/** `+$1.00`, `-$0.0123`. */
export function signedAmount(quota: number, rules = moneyRules()): string {
  return `${quota > 0 ? '+' : ''}${formatCallPrice(quota, rules)}`
}

/** The name of the cause, without the kind in front; one without a number in it only says the kind again. */
export function referenceName({ kind, reference }: Pick<StatementLine, 'kind' | 'reference'>): string {
  const name = reference.startsWith(`${kind}:`) ? reference.slice(kind.length + 1) : reference
  if (!/\d/.test(name)) return ''
  return kind === 'redemption' ? `#${name}` : name
}

/** There is something to say about what the line came from. */
export const hasReference = (line: StatementLine): boolean => line.requests > 0 || referenceName(line) !== ''
