import type { OutputItem } from './output-items.ts'
import type { Answer, UsagePlacement } from '../types.ts'

/** The object a call ends with, and that a stream shows while it is under way. */
export function responseOf(
  answer: Answer,
  output: readonly OutputItem[],
  state: 'under-way' | 'ended',
  placement: UsagePlacement = 'asked',
): Record<string, unknown> {
  const ended = state === 'ended'
  const reason = ended ? incompleteReason(answer) : undefined
  return {
    id: responseId(answer),
    object: 'response',
    created_at: answer.created,
    status: ended ? (reason === undefined ? 'completed' : 'incomplete') : 'in_progress',
    background: false,
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    instructions: null,
    max_output_tokens: Number.isFinite(answer.asked.limit) ? answer.asked.limit : null,
    model: answer.asked.model,
    output: ended ? output : [],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: ended && placement !== 'missing' ? usageOf(answer) : null,
    user: null,
    metadata: {},
  }
}

export function responseId({ sequence }: Pick<Answer, 'sequence'>): string {
  return `resp_fake_${sequence}`
}

export function incompleteReason({ finish, finishReason }: Answer): string | undefined {
  if (finishReason !== undefined && finishReason !== 'completed') return finishReason
  return finish === 'length' ? 'max_output_tokens' : finish === 'refusal' ? 'content_filter' : undefined
}

function usageOf({ counts }: Answer) {
  const { input, cacheRead, cacheWrite, output, reasoning } = counts
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}
