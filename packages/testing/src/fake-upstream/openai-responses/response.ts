import { countTokens, deltasOf } from '../tokens.ts'
import type {
  ChatResponse,
  StreamOptions,
  UpstreamEvent,
  UpstreamStream,
  UsagePlacement,
  UpstreamState,
} from '../types.ts'

/** The response object; streams also send it while in progress. */
export function responseOf(
  response: ChatResponse,
  output: readonly OutputItem[],
  state: 'under-way' | 'ended',
  placement: UsagePlacement = 'asked',
): Record<string, unknown> {
  const ended = state === 'ended'
  const reason = ended ? incompleteReason(response) : undefined
  return {
    id: responseId(response),
    object: 'response',
    created_at: response.created,
    status: ended ? (reason === undefined ? 'completed' : 'incomplete') : 'in_progress',
    background: false,
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    instructions: null,
    max_output_tokens: Number.isFinite(response.request.limit) ? response.request.limit : null,
    model: response.request.model,
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
    usage: ended && placement !== 'missing' ? usageOf(response) : null,
    user: null,
    metadata: {},
  }
}

/** The messages of the user, and one item for the rest. */
export function compactionOf(response: ChatResponse, signatures: UpstreamState['signatures']): Record<string, unknown> {
  const id = `cmp_fake_${response.sequence}`
  const content = [{ type: 'input_text', text: response.request.lastUserText }]
  return {
    id: responseId(response),
    object: 'response.compaction',
    created_at: response.created,
    output: [
      { id: `msg_fake_${response.sequence}_0`, type: 'message', status: 'completed', role: 'user', content },
      { id, type: 'compaction', encrypted_content: signatures.issue('compaction', id) },
    ],
    usage: usageOf(response),
  }
}

export function responseId({ sequence }: Pick<ChatResponse, 'sequence'>): string {
  return `resp_fake_${sequence}`
}

function incompleteReason({ finish, finishReason }: ChatResponse): string | undefined {
  if (finishReason !== undefined && finishReason !== 'completed') return finishReason
  return finish === 'length' ? 'max_output_tokens' : finish === 'refusal' ? 'content_filter' : undefined
}

function usageOf({ counts }: ChatResponse) {
  const { input, cacheRead, cacheWrite, output, reasoning } = counts
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}

type OutputItem = ReasoningItem | MessageItem | CallItem | TextCallItem

interface ReasoningItem {
  type: 'reasoning'
  id: string
  summary: { type: 'summary_text'; text: string }[]
  encrypted_content?: string
}

interface MessageItem {
  type: 'message'
  id: string
  status: string
  role: 'assistant'
  content: MessagePart[]
}

type MessagePart =
  | { type: 'output_text'; text: string; annotations: never[]; logprobs: never[] }
  | { type: 'refusal'; refusal: string }

interface CallItem {
  type: 'function_call'
  id: string
  status: string
  call_id: string
  name: string
  arguments: string
}

interface TextCallItem {
  type: 'custom_tool_call'
  id: string
  status: string
  call_id: string
  name: string
  input: string
}

/** The output items. Reasoning has a summary and encrypted content only on request. */
export function outputOf(response: ChatResponse, state: UpstreamState): OutputItem[] {
  const { sequence, text, refusal, toolCalls } = response
  const content: MessagePart[] = [
    ...(text === '' ? [] : [{ type: 'output_text' as const, text, annotations: [], logprobs: [] }]),
    ...(refusal === '' ? [] : [{ type: 'refusal' as const, refusal }]),
  ]
  const status = response.finish === 'length' ? 'incomplete' : 'completed'
  return [
    ...reasoningOf(response, state),
    ...(content.length === 0
      ? []
      : [{ type: 'message' as const, id: `msg_fake_${sequence}`, status, role: 'assistant' as const, content }]),
    ...toolCalls.map((call, index): CallItem | TextCallItem => {
      const made = { status: 'completed', call_id: call.id, name: call.name }
      return response.request.textTools?.has(call.name)
        ? { type: 'custom_tool_call', id: `ctc_fake_${sequence}_${index}`, ...made, input: call.arguments }
        : { type: 'function_call', id: `fc_fake_${sequence}_${index}`, ...made, arguments: call.arguments }
    }),
  ]
}

function reasoningOf(
  { reasoning, sequence, request, signature }: ChatResponse,
  { signatures }: UpstreamState,
): ReasoningItem[] {
  if (reasoning === '') return []
  const id = `rs_fake_${sequence}`
  return [
    {
      type: 'reasoning',
      id,
      summary: request.showReasoning ? [{ type: 'summary_text', text: reasoning }] : [],
      ...(request.signReasoning && { encrypted_content: signatures.issue('openai-responses', id, signature) }),
    },
  ]
}

/** The events of a stream; the last one contains the whole response. */
export function responsesStream(response: ChatResponse, state: UpstreamState, options: StreamOptions): UpstreamStream {
  const output = outputOf(response, state)
  const drafts = [
    draft('response.created', { response: responseOf(response, [], 'under-way') }),
    draft('response.in_progress', { response: responseOf(response, [], 'under-way') }),
    ...output.flatMap((item, index) => itemDrafts(item, index, options)),
    draft(incompleteReason(response) === undefined ? 'response.completed' : 'response.incomplete', {
      response: responseOf(response, output, 'ended', options.placement),
    }),
  ]
  const events = drafts.map(eventOf)
  return { events: events.slice(0, -1), endMark: events.at(-1) }
}

interface Draft {
  type: string
  members: Record<string, unknown>
  text: string
  tokens: number
}

function draft(type: string, members: Record<string, unknown>, text = '', tokens = 0): Draft {
  return { type, members, text, tokens }
}

function eventOf({ type, members, text, tokens }: Draft, index: number): UpstreamEvent {
  return { name: type, data: JSON.stringify({ type, sequence_number: index, ...members }), text, tokens }
}

function itemDrafts(item: OutputItem, index: number, options: StreamOptions): Draft[] {
  const position = { output_index: index }
  const open = { ...item, ...(item.type !== 'reasoning' && { status: 'in_progress' }), ...EMPTY[item.type] }
  return [
    draft('response.output_item.added', { ...position, item: open }),
    ...(item.type === 'reasoning'
      ? summaryDrafts(item, position, options)
      : item.type === 'message'
        ? contentDrafts(item, position, options)
        : inputDrafts(item, position)),
    draft('response.output_item.done', { ...position, item }),
  ]
}

const EMPTY = {
  reasoning: { summary: [], encrypted_content: undefined },
  message: { content: [] },
  function_call: { arguments: '' },
  custom_tool_call: { input: '' },
}

function summaryDrafts({ id, summary }: ReasoningItem, position: object, { deltaLength }: StreamOptions): Draft[] {
  return summary.flatMap((part, summaryIndex) => {
    const at = { ...position, item_id: id, summary_index: summaryIndex }
    return [
      draft('response.reasoning_summary_part.added', { ...at, part: { ...part, text: '' } }),
      ...deltasOf(part.text, deltaLength).map((delta) =>
        draft('response.reasoning_summary_text.delta', { ...at, delta }, '', countTokens(delta)),
      ),
      draft('response.reasoning_summary_text.done', { ...at, text: part.text }),
      draft('response.reasoning_summary_part.done', { ...at, part }),
    ]
  })
}

function contentDrafts({ id, content }: MessageItem, position: object, { deltaLength }: StreamOptions): Draft[] {
  return content.flatMap((part, contentIndex) => {
    const at = { ...position, item_id: id, content_index: contentIndex }
    const isText = part.type === 'output_text'
    const whole = isText ? part.text : part.refusal
    const kind = isText ? 'output_text' : 'refusal'
    return [
      draft('response.content_part.added', { ...at, part: { ...part, [isText ? 'text' : 'refusal']: '' } }),
      ...deltasOf(whole, deltaLength).map((delta) =>
        draft(`response.${kind}.delta`, { ...at, delta }, isText ? delta : '', countTokens(delta)),
      ),
      draft(`response.${kind}.done`, { ...at, [isText ? 'text' : 'refusal']: whole }),
      draft('response.content_part.done', { ...at, part }),
    ]
  })
}

function inputDrafts(item: CallItem | TextCallItem, position: object): Draft[] {
  const isFunction = item.type === 'function_call'
  const at = { ...position, item_id: item.id }
  const kind = isFunction ? 'function_call_arguments' : 'custom_tool_call_input'
  const whole = isFunction ? { name: item.name, arguments: item.arguments } : { input: item.input }
  return [
    ...deltasOf(isFunction ? item.arguments : item.input).map((delta) =>
      draft(`response.${kind}.delta`, { ...at, delta }, '', 1),
    ),
    draft(`response.${kind}.done`, { ...at, ...whole }, '', countTokens(item.name)),
  ]
}
