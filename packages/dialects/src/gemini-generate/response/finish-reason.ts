import type { FinishReason } from '../../canonical/index.ts'

/** Finish reasons of Google. Any other value is `other`. */
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

/** Google also sends STOP for tool calls. */
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

/** Keeps the provider's value if it is one of Google's. */
export function writeFinish(reason: FinishReason, raw: string | undefined): string {
  if (raw !== undefined && (REASONS[raw] ?? OTHER_REASONS.get(raw)) === reason) return raw
  return WIRE_REASONS[reason]
}

const OTHER_REASONS: ReadonlyMap<string, FinishReason> = new Map(
  ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'LANGUAGE', 'NO_IMAGE', 'IMAGE_OTHER'].map(
    (name) => [name, 'other'],
  ),
)
