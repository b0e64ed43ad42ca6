import type { Tone } from '../../../ui/status-tag.tsx'

/** What may come of a word of the payment service about an order. One that is missing here is shown by its code. */
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
