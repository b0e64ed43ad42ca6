import type { UsageReport } from '@tidegate/contract'
import type { RequestHead, ResponseContext } from '../canonical/index.ts'
import { fromBase64Url, toBase64Url } from '../canonical/signature.ts'
import { asJsonObject, asJsonObjects, asText, type JsonObject } from '../json/json-object.ts'
import { writeResponsesUsage } from '../openai-wire/usage.ts'
import { echoRequest, finishedResponse } from './response/response-object.ts'
import { readInputItems } from './stored-items.ts'
import { createStreamWriter } from './stream/stream-writer.ts'

/** Begins the `encrypted_content` of a compaction item that the gateway wrote. It is a summary for any model. */
const SUMMARY_PREFIX = 'tgs1.'

const PROMPT = [
  'Summarize this conversation, so that another model can continue the work with nothing but your summary.',
  'Include the goals and constraints of the user, the decisions with their reasons, the state of the work, exact names,',
  'paths, values and commands that are still needed, open questions, and the next steps. Write the summary only.',
].join(' ')

const INTRODUCTION = 'Summary of the conversation so far:\n\n'

/** The text of a compaction item of the gateway, as a message of the user. `undefined` for any other item. */
export function compactedText(item: JsonObject): string | undefined {
  const sealed = asText(item.encrypted_content)
  if (item.type !== 'compaction' || !sealed.startsWith(SUMMARY_PREFIX)) return undefined
  try {
    return INTRODUCTION + fromBase64Url(sealed.slice(SUMMARY_PREFIX.length))
  } catch {
    return undefined
  }
}

/** The item for any provider: its own compaction items, or a message. */
export function expandCompaction(item: JsonObject): JsonObject {
  const text = compactedText(item)
  return text === undefined ? item : { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
}

/** Items from the last summary on: it replaces what was before. */
export function fromLastCompaction(items: readonly JsonObject[]): readonly JsonObject[] {
  const at = items.findLastIndex((item) => compactedText(item) !== undefined)
  return at === -1 ? items : items.slice(at)
}

/** Whether the last item of an input requests compaction. */
export function requestsCompaction({ input }: JsonObject): boolean {
  return Array.isArray(input) && asJsonObject(input.at(-1))?.type === 'compaction_trigger'
}

/** Requests a summary of the conversation from any model. Tool calls become text, so that no tools are needed. */
export function summaryRequest(head: RequestHead): RequestHead {
  const { compaction: _compaction, ...rest } = head
  const { model, instructions, service_tier: tier, prompt_cache_key: key } = head.body
  const items = readInputItems(head.body.input).flatMap(itemForSummary)
  const body = {
    model,
    ...(instructions !== undefined && { instructions }),
    ...(tier !== undefined && { service_tier: tier }),
    ...(key !== undefined && { prompt_cache_key: key }),
    input: [...items, userMessage(PROMPT)],
    stream: head.stream,
    store: false,
  }
  return { ...rest, body, text: JSON.stringify(body), maxTokens: 0 }
}

const CALL_TYPES = new Set<unknown>(['function_call', 'custom_tool_call'])
const OUTPUT_TYPES = new Set<unknown>(['function_call_output', 'custom_tool_call_output'])

function itemForSummary(item: JsonObject): JsonObject[] {
  const type = item.type ?? 'message'
  if (type === 'message') return [item]
  if (type === 'compaction') return compactedText(item) === undefined ? [item] : [expandCompaction(item)]
  if (CALL_TYPES.has(type)) {
    const text = `[call of the tool ${asText(item.name)}] ${asText(item.arguments ?? item.input)}`
    return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]
  }
  if (OUTPUT_TYPES.has(type)) return [userMessage(`[result of the tool] ${outputText(item.output)}`)]
  return [] // reasoning, hosted tools and the trigger itself
}

function outputText(output: unknown): string {
  if (typeof output === 'string') return output
  return asJsonObjects(output)
    .map(({ text, type }) => asText(text) || `(${asText(type)})`)
    .join('\n')
}

function userMessage(text: string): JsonObject {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
}

function compactionItem({ requestId }: Pick<ResponseContext, 'requestId'>, summary: string): JsonObject {
  return { type: 'compaction', id: `cmp_${requestId}`, encrypted_content: SUMMARY_PREFIX + toBase64Url(summary) }
}

interface Compacted {
  readonly context: ResponseContext
  readonly summary: string
  readonly usage: UsageReport
}

/** Response of the compaction endpoint: the messages of the user, and the summary of everything. */
export function compactionBody(head: Pick<RequestHead, 'body'>, { context, summary, usage }: Compacted): JsonObject {
  const messages = readInputItems(head.body.input).filter(
    ({ type, role }) => (type ?? 'message') === 'message' && role === 'user',
  )
  return {
    id: `resp_${context.requestId}`,
    object: 'response.compaction',
    created_at: context.createdAt,
    output: [
      ...messages.map((message, index) => ({
        id: `msg_${context.requestId}_${index}`,
        status: 'completed',
        ...message,
        type: 'message',
      })),
      compactionItem(context, summary),
    ],
    usage: writeResponsesUsage(usage),
  }
}

/** Response to a request that ends with a compaction trigger. */
export function compactionResponse({ context, summary, usage }: Compacted): JsonObject {
  const output = [compactionItem(context, summary)]
  return { ...finishedResponse(context, { reason: 'stop', output, usage }), ...echoRequest(context) }
}

/** The same as a stream. */
export function compactionStream({ context, summary, usage }: Compacted): string {
  const stream = createStreamWriter(context)
  stream.start()
  const { index } = stream.reserveItem('cmp')
  const item = compactionItem(context, summary)
  stream.addItem(index, item)
  stream.finishItem(index, item)
  stream.writeLifecycle(
    'response.completed',
    finishedResponse(context, { reason: 'stop', output: stream.output, usage }),
  )
  return stream.take()
}
