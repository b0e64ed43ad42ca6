import type { ResponseContext, FinishReason } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { UsageReport } from '@tidegate/contract'
import { searchesOf } from '../../canonical/usage.ts'
import { encodeFormat, splitInstructions } from '../request/encode-request.ts'
import { encodeToolChoice, encodeTools } from '../request/tools.ts'
import { incompleteReason } from './finish-reason.ts'
import { toolsByName } from '../tool-names.ts'
import { writeResponsesUsage } from '../../openai-wire/usage.ts'

/** Response object of a stream in progress. */
export function inProgressResponse(context: ResponseContext): JsonObject {
  return { ...identity(context, 'in_progress'), incomplete_details: null, output: [], usage: null }
}

/** Response object at the end. */
export function finishedResponse(
  context: ResponseContext,
  { reason, output, usage }: { reason: FinishReason; output: readonly JsonObject[]; usage: UsageReport },
): JsonObject {
  const incomplete = incompleteReason(reason)
  const searches = searchesOf(usage)
  return {
    ...identity(context, incomplete === undefined ? 'completed' : 'incomplete'),
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    output,
    usage: writeResponsesUsage(usage),
    ...(searches > 0 && { tool_usage: { web_search: { num_requests: searches } } }),
  }
}

function identity({ requestId, createdAt, model }: ResponseContext, status: string): JsonObject {
  return { id: `resp_${requestId}`, object: 'response', created_at: createdAt, status, error: null, model }
}

/** Request fields that the response repeats. Clients with strict types require all of them. */
export function echoRequest({ request, echo }: ResponseContext): JsonObject {
  const named = toolsByName(request.tools)
  return {
    instructions: splitInstructions(request.messages).instructions ?? null,
    max_output_tokens: request.maxTokens ?? null,
    parallel_tool_calls: request.parallelToolCalls ?? true,
    temperature: request.temperature ?? null,
    top_p: request.topP ?? null,
    tool_choice: encodeToolChoice(request.toolChoice, named) ?? 'auto',
    tools: encodeTools(request.tools),
    text: { format: request.output ? encodeFormat(request.output) : { type: 'text' } },
    reasoning: {
      effort: request.reasoning?.effort ?? null,
      summary: request.reasoning?.visible === true ? 'auto' : null,
    },
    truncation: 'disabled',
    metadata: {},
    previous_response_id: null,
    background: false,
    // Without `echo` nothing is stored: the next request must send the whole conversation.
    store: false,
    user: request.userId ?? null,
    prompt_cache_key: request.promptCacheKey ?? null,
    access_programs: null,
    ...echo,
  }
}
