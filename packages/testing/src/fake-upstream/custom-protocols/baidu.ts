import { countTokens, deltasOf } from '../tokens.ts'
import { ProviderError } from '../checks.ts'
import type {
  ChatResponse,
  ChatRequest,
  Failure,
  ReceivedRequest,
  StreamOptions,
  UpstreamEvent,
  Protocol,
} from '../types.ts'

interface BaiduRequest {
  messages?: readonly { role?: string; content?: string; function_call?: unknown }[]
  system?: string
  stream?: boolean
  max_output_tokens?: number
  stop?: readonly string[]
}

const CHATS = '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/'

/** Baidu's first platform, which sends status 200 for everything. */
export const baidu: Protocol = {
  id: 'baidu',
  matches: ({ method, path }) => method === 'POST' && path.startsWith(CHATS),
  keyOf: ({ query }) => query.get('access_token')?.replace(/^token-for-/, ''),
  read,
  check,
  responseBody: (response, _state, placement) =>
    JSON.stringify(chunkOf(response, { result: response.text, ...callOf(response), ...finishOf(response) }, placement)),
  responseStream: (response, _state, options) => ({ events: eventsOf(response, options) }),
  errorBody,
  errorEvent: (failure) => ({ data: JSON.stringify(errorBody(failure)), text: '', tokens: 0 }),
}

function read({ body, path }: ReceivedRequest): ChatRequest {
  const { messages = [], system = '', stream = false, max_output_tokens, stop = [] } = (body ?? {}) as BaiduRequest
  return {
    model: path.slice(CHATS.length),
    stream,
    includeUsage: true,
    limit: max_output_tokens ?? Infinity,
    stop,
    lastUserText: messages.findLast(({ role }) => role === 'user')?.content ?? '',
    promptTexts: [system, ...messages.map(({ content = '' }) => content)],
    showReasoning: true,
    signReasoning: false,
  }
}

function check({ body, query }: ReceivedRequest): void {
  const { messages = [], max_output_tokens: limit } = (body ?? {}) as BaiduRequest
  const insist = (condition: boolean, message: string, code = '336003') => {
    if (!condition) throw new ProviderError(message, { status: 200, code })
  }
  insist(/^token-for-.+/.test(query.get('access_token') ?? ''), 'Access token invalid or no longer valid', '110')
  insist(messages.length % 2 === 1, 'the length of messages must be an odd number', '336006')
  insist(
    messages.every(({ role }, index) => (index % 2 === 0 ? role !== 'assistant' : role === 'assistant')),
    'user and assistant must take turns',
    '336006',
  )
  insist(
    messages.every(({ content, function_call }) => content !== '' || function_call !== undefined),
    'content is empty',
  )
  insist(limit === undefined || limit >= 2, 'max_output_tokens is too small')
}

function chunkOf(response: ChatResponse, content: object, placement: StreamOptions['placement']) {
  const { input, output } = response.counts
  return {
    id: `as-fake-${response.sequence}`,
    object: 'chat.completion',
    created: response.created,
    is_truncated: response.finish === 'length',
    need_clear_history: false,
    ...content,
    ...(placement !== 'missing' && {
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    }),
  }
}

function callOf({ toolCalls }: ChatResponse) {
  const [call] = toolCalls
  return call ? { function_call: { name: call.name, thoughts: '', arguments: call.arguments } } : {}
}

function finishOf({ finish }: ChatResponse) {
  return { finish_reason: finish === 'tool-calls' ? 'function_call' : finish === 'length' ? 'length' : 'normal' }
}

function eventsOf(response: ChatResponse, { placement, deltaLength }: StreamOptions): UpstreamEvent[] {
  const pieces = deltasOf(response.text, deltaLength)
  return [...pieces, ''].map((text, index) => {
    const isLast = index === pieces.length
    const last = isLast ? { ...callOf(response), ...finishOf(response) } : {}
    const data = chunkOf(response, { sentence_id: index, is_end: isLast, result: text, ...last }, placement)
    return { data: JSON.stringify(data), text, tokens: countTokens(text) }
  })
}

const CODES: Readonly<Record<number, number>> = { 400: 336003, 401: 110, 402: 17, 429: 18 }

function errorBody({ status, code, message }: Failure) {
  return { error_code: Number(code ?? CODES[status] ?? 2), error_msg: message }
}
