import type { ShadowCall } from '@tidegate/contract/api'
import type { Tone } from '../../ui/feedback/status-tag.tsx'

/** How a call compares with what the old gateway made of it. */
export type Outcome = 'refused' | 'unmatched' | 'same' | 'channel' | 'charge' | 'both'

export const OUTCOME_TONES: Record<Outcome, Tone> = {
  refused: 'bad',
  unmatched: 'neutral',
  same: 'good',
  channel: 'warn',
  charge: 'warn',
  both: 'warn',
}

type Compared = Pick<
  ShadowCall,
  'refusal' | 'old_log_at' | 'channel_id' | 'old_channel_id' | 'old_quota' | 'would_quota'
>

/** That it would have been refused outweighs everything else: its caller would have noticed. */
export function outcomeOf(call: Compared): Outcome {
  if (call.refusal !== null) return 'refused'
  if (call.old_log_at === null) return 'unmatched'
  const isOtherChannel = call.old_channel_id !== call.channel_id
  const isOtherCharge = call.old_quota !== call.would_quota
  if (isOtherChannel && isOtherCharge) return 'both'
  return isOtherChannel ? 'channel' : isOtherCharge ? 'charge' : 'same'
}
