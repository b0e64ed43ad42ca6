import type { OrderDetail } from '@tidegate/contract/api'
import { ApiError } from '../../api/errors.ts'
import type { Tone } from '../../ui/feedback/status-tag.tsx'

/** Outcomes of payment events. Unknown ones are shown by their code. */
export const OUTCOME_TONES = {
  credited: 'good',
  repeated: 'neutral',
  unpaid: 'info',
  expired: 'neutral',
  failed: 'bad',
  reversed: 'warn',
  restored: 'good',
  recorded: 'neutral',
  wrong_money: 'bad',
  wrong_provider: 'bad',
} as const satisfies Record<string, Tone>

export type OutcomeName = keyof typeof OUTCOME_TONES

export const knownOutcome = (outcome: string): OutcomeName | undefined =>
  Object.hasOwn(OUTCOME_TONES, outcome) ? (outcome as OutcomeName) : undefined

type OrderEvents = Pick<OrderDetail, 'status'> & {
  events: readonly Pick<OrderDetail['events'][number], 'id' | 'kind' | 'outcome'>[]
}

/** Result of a check. `unrelated`: the payment service returned nothing about this order. */
export type Finding = OutcomeName | 'unrelated'

/** Compares events before and after. An order with very many events does not list the newest. */
export function findingOf(before: OrderEvents, after: OrderEvents): Finding {
  const seen = new Set(before.events.map(({ id }) => id))
  const checked = after.events.findLast(({ id, kind }) => kind === 'recheck' && !seen.has(id))
  const outcome = checked && knownOutcome(checked.outcome)
  if (outcome) return outcome
  return before.status !== 'success' && after.status === 'success' ? 'credited' : 'unrelated'
}

export const toneOf = (finding: Finding): Tone => (finding === 'unrelated' ? 'warn' : OUTCOME_TONES[finding])

/** Why the check failed. */
export function failureOf(error: unknown): 'unreachable' | 'closed' | 'failed' {
  const code = error instanceof ApiError ? error.code : ''
  if (code === 'payment_unreachable') return 'unreachable'
  return code === 'payment_closed' ? 'closed' : 'failed'
}
