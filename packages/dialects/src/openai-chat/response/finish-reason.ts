import type { FinishReason } from '../../canonical/index.ts'

/** Providers of this protocol also use values of other protocols. */
const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop-sequence',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  tool_use: 'tool-calls',
  content_filter: 'refusal',
  sensitive: 'refusal',
  refusal: 'refusal',
}

const WIRE_REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  refusal: 'content_filter',
  pause: 'stop',
  other: 'stop',
}

export function readFinish(raw: string, hasCalls: boolean): FinishReason {
  const reason = FINISH_REASONS[raw] ?? 'other'
  // A forced call ends with `stop`, and some providers send it for every call. Clients of other protocols act on calls
  // only by the finish reason.
  return reason === 'stop' && hasCalls ? 'tool-calls' : reason
}

/** Without a reason from the provider, the response ends normally. */
export function writeFinish(reason: FinishReason | undefined, hasCalls: boolean, isLegacy: boolean): string {
  const written = WIRE_REASONS[reason ?? (hasCalls ? 'tool-calls' : 'stop')]
  return isLegacy && written === 'tool_calls' ? 'function_call' : written
}
