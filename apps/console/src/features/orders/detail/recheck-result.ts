import type { OrderDetail } from '@tidegate/contract/api'
import { CallError } from '../../../lib/call-error.ts'
import type { Tone } from '../../../ui/status-tag.tsx'
import { knownOutcome, OUTCOME_TONES, type OutcomeName } from './outcome.ts'

type Orderly = Pick<OrderDetail, 'status'> & {
  events: readonly Pick<OrderDetail['events'][number], 'id' | 'kind' | 'outcome'>[]
}

/** What came of asking the payment service. `unrelated`: it said nothing that is about this order. */
export type Finding = OutcomeName | 'unrelated'

/** Reads the finding from what was noted since; an order with very many events does not list the newest. */
export function findingOf(before: Orderly, after: Orderly): Finding {
  const seen = new Set(before.events.map(({ id }) => id))
  const asked = after.events.findLast(({ id, kind }) => kind === 'recheck' && !seen.has(id))
  const outcome = asked && knownOutcome(asked.outcome)
  if (outcome) return outcome
  return before.status !== 'success' && after.status === 'success' ? 'credited' : 'unrelated'
}

export const toneOf = (finding: Finding): Tone => (finding === 'unrelated' ? 'warn' : OUTCOME_TONES[finding])

/** Why the payment service was not asked, or did not respond. */
export function failureOf(error: unknown): 'unreachable' | 'closed' | 'failed' {
  const code = error instanceof CallError ? error.code : ''
  if (code === 'payment_unreachable') return 'unreachable'
  return code === 'payment_closed' ? 'closed' : 'failed'
}
