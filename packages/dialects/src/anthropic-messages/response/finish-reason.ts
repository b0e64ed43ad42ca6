import type { CanonicalResponse, FinishReason } from '../../canonical/index.ts'
import { asText } from '../../json/json-object.ts'

type Finish = NonNullable<CanonicalResponse['finish']>

const FINISH_REASONS = new Map<string, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop-sequence'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool-calls'],
  ['refusal', 'refusal'],
  ['pause_turn', 'pause'],
  ['compaction', 'pause'],
])

const STOP_REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  refusal: 'refusal',
  pause: 'pause_turn',
  other: 'end_turn',
}

export function readFinish(stopReason: unknown, stopSequence: unknown): Finish | undefined {
  const raw = asText(stopReason)
  if (raw === '') return undefined
  return { reason: FINISH_REASONS.get(raw) ?? 'other', raw, stopSequence: asText(stopSequence) || undefined }
}

export function writeFinish(finish: Finish | undefined, hasCalls: boolean) {
  const reason = finish?.reason ?? 'stop'
  // Some providers send only "stop" after a tool call. Clients of this protocol run tools only on `tool_use`.
  const callsTools = hasCalls && (reason === 'stop' || reason === 'other')
  return {
    stop_reason: callsTools ? 'tool_use' : STOP_REASONS[reason],
    stop_sequence: finish?.stopSequence ?? null,
  }
}
