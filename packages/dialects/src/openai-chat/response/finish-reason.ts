import type { FinishReason } from '../../canonical/index.ts'

/** Vendors of this dialect use its own words and each other's. */
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
  // A call the client forced ends with `stop`, and some vendors say so of every call; other dialects tell clients to
  // act on calls only by the reason.
  return reason === 'stop' && hasCalls ? 'tool-calls' : reason
}

/** Without a reason from the vendor the answer ends the normal way. */
export function writeFinish(reason: FinishReason | undefined, hasCalls: boolean, isLegacy: boolean): string {
  const written = WIRE_REASONS[reason ?? (hasCalls ? 'tool-calls' : 'stop')]
  return isLegacy && written === 'tool_calls' ? 'function_call' : written
}
