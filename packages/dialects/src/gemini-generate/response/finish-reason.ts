import type { FinishReason } from '../../canonical/index.ts'

/** What Google's words for an end mean. Those not named here are neither an end nor a refusal: `other`. */
const REASONS: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'refusal',
  RECITATION: 'refusal',
  BLOCKLIST: 'refusal',
  PROHIBITED_CONTENT: 'refusal',
  SPII: 'refusal',
  MODEL_ARMOR: 'refusal',
  IMAGE_SAFETY: 'refusal',
  IMAGE_PROHIBITED_CONTENT: 'refusal',
  IMAGE_RECITATION: 'refusal',
  CONTINUATION: 'pause',
}

/** Google says of calls only that the model stopped. */
export function readFinish(raw: string, hasCalls: boolean): FinishReason {
  const reason = REASONS[raw] ?? 'other'
  return reason === 'stop' && hasCalls ? 'tool-calls' : reason
}

const WIRE_REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  'stop-sequence': 'STOP',
  'tool-calls': 'STOP',
  length: 'MAX_TOKENS',
  refusal: 'SAFETY',
  pause: 'STOP',
  other: 'OTHER',
}

/** The vendor's own word when it was Google's, so that nothing is lost between the two. */
export function writeFinish(reason: FinishReason, raw: string | undefined): string {
  if (raw !== undefined && (REASONS[raw] ?? OTHER_REASONS.get(raw)) === reason) return raw
  return WIRE_REASONS[reason]
}

const OTHER_REASONS: ReadonlyMap<string, FinishReason> = new Map(
  ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'LANGUAGE', 'NO_IMAGE', 'IMAGE_OTHER'].map(
    (name) => [name, 'other'],
  ),
)
