import { checkOpenaiSchema } from '../openai-schema.ts'
import { checkItem } from './check-items.ts'
import type { InputItem, ResponsesRequest } from './request.ts'
import { ProviderError, demand, wordSet } from '../checks.ts'
import type { Vendor } from '../types.ts'

/** Refuses what OpenAI's Responses refuse. */
export function checkResponses(request: ResponsesRequest, vendor: Vendor): void {
  const { model, input, tools = [], text } = request
  demand(model, "Missing required parameter: 'model'.", 'model')
  demand(input !== undefined && input.length > 0, "Missing required parameter: 'input'.", 'input')
  if (vendor.strict) {
    for (const member of Object.keys(request)) demand(MEMBERS.has(member), `Unknown parameter: '${member}'.`, member)
  }
  tools.forEach((tool, index) => {
    if (tool.type !== 'function') return
    demand(NAME.test(tool.name ?? ''), 'a function name is 1 to 64 of a-z, A-Z, 0-9, _ and -', `tools[${index}].name`)
  })
  if (text?.format?.type === 'json_schema') checkOpenaiSchema(text.format, 'text.format')
  if (typeof input === 'string') return

  const sealed = request.store === false
  input.forEach((item, index) => checkItem(item, `input[${index}]`, { ...vendor, sealed }))
  checkCalls(input, request.previous_response_id)
  checkReasoning(input)
}

/** An account knows the responses that it stores, and no others. */
export function checkPrevious(
  { previous_response_id: id }: ResponsesRequest,
  { responses }: Vendor,
  key: string | undefined,
): void {
  if (!id || (responses.has(id) && responses.get(id) === key)) return
  const more = { param: 'previous_response_id', code: 'previous_response_not_found' }
  throw new ProviderError(`Previous response with id '${id}' not found.`, more)
}

/** Calls and their outputs come in pairs, unless an earlier response that OpenAI keeps has the other half. */
function checkCalls(items: readonly InputItem[], previous: string | null | undefined): void {
  const open = new Set<string>()
  items.forEach((item, index) => {
    if (item.type === 'function_call' || item.type === 'custom_tool_call') open.add(item.call_id!)
    if (item.type !== 'function_call_output' && item.type !== 'custom_tool_call_output') return
    const known = open.delete(item.call_id!) || Boolean(previous)
    demand(known, `No tool call found for function call output with call_id ${item.call_id}.`, `input[${index}]`)
  })
  demand(open.size === 0, `No tool output found for function call ${[...open].join(', ')}.`, 'input')
}

/** Thoughts belong to what the model did next. */
function checkReasoning(items: readonly InputItem[]): void {
  items.forEach((item, index) => {
    if (item.type !== 'reasoning') return
    const next = items[index + 1]
    const follows = next !== undefined && (next.role === 'assistant' || OF_MODEL.has(next.type ?? ''))
    demand(
      follows,
      `Item '${item.id}' of type 'reasoning' was given without the item that follows it.`,
      `input[${index}]`,
    )
  })
}

const OF_MODEL = wordSet('reasoning function_call custom_tool_call')
const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const MEMBERS = wordSet(`
  model input instructions stream stream_options store include background conversation previous_response_id
  max_output_tokens max_tool_calls reasoning text tools tool_choice parallel_tool_calls temperature top_p
  top_logprobs truncation metadata user service_tier safety_identifier prompt prompt_cache_key
  prompt_cache_retention prompt_cache_options context_management moderation access_programs
`)
