import { countTokens, deltasOf } from '../tokens.ts'
import { requireThat } from '../checks.ts'
import type {
  ChatResponse,
  ChatRequest,
  Failure,
  ReceivedRequest,
  StreamOptions,
  UpstreamEvent,
  Protocol,
} from '../types.ts'

interface Message {
  Role?: string
  Content?: string
  Contents?: readonly { Type?: string; Text?: string }[]
}

interface HunyuanRequest {
  Model?: string
  Messages?: readonly Message[]
  Stream?: boolean
  Stop?: readonly string[]
}

/** Tencent's ChatCompletions: one URL, with the action in a header. */
export const hunyuan: Protocol = {
  id: 'hunyuan',
  matches: ({ method, path, headers }) => method === 'POST' && path === '/' && headers['x-tc-action'] !== undefined,
  keyOf: ({ headers }) => /Credential=([^/]+)\//.exec(headers.authorization ?? '')?.[1],
  read,
  check,
  responseBody: (response, _state, placement) =>
    JSON.stringify({ Response: { RequestId: 'fake', ...chunkOf(response, messageOf(response), placement) } }),
  responseStream: (response, _state, options) => ({ events: eventsOf(response, options) }),
  errorBody: (failure) => ({ Response: { Error: { Code: codeOf(failure), Message: failure.message } } }),
  errorEvent: ({ status, message }) => event({ ErrorMsg: { Code: status, Msg: message } }),
}

function read({ body }: ReceivedRequest): ChatRequest {
  const { Model = 'unknown', Messages = [], Stream = false, Stop = [] } = (body ?? {}) as HunyuanRequest
  return {
    model: Model,
    stream: Stream,
    includeUsage: true,
    limit: Infinity,
    stop: Stop,
    lastUserText: textOf(Messages.findLast(({ Role }) => Role === 'user')),
    promptTexts: Messages.map(textOf),
    showReasoning: true,
    signReasoning: false,
  }
}

function textOf(message: Message | undefined): string {
  return message?.Content ?? (message?.Contents ?? []).map(({ Text = '' }) => Text).join('')
}

function check({ headers, body }: ReceivedRequest): void {
  const { Model, Messages = [] } = (body ?? {}) as HunyuanRequest
  requireThat(
    headers['x-tc-action'] === 'ChatCompletions' && headers['x-tc-version'] === '2023-09-01',
    'unknown action',
  )
  requireThat(headers['x-tc-timestamp'] !== undefined, 'X-TC-Timestamp is missing')
  requireThat(headers.authorization?.startsWith('TC3-HMAC-SHA256 '), 'the request is not signed')
  requireThat(Model, 'Model is missing')
  const [first, ...rest] = Messages
  const turns = first?.Role === 'system' ? rest : Messages
  requireThat(
    turns.every(({ Role }) => Role !== 'system'),
    'system must be the first message',
  )
  const sides = turns.map(({ Role }) => Role).filter((role, index, all) => role !== 'tool' || all[index - 1] !== 'tool')
  requireThat(
    sides.every((side, index) => (index % 2 === 0) === (side !== 'assistant')),
    'user and assistant must take turns',
  )
}

function messageOf({ text, toolCalls, reasoning }: ChatResponse) {
  return {
    Message: {
      Role: 'assistant',
      Content: text,
      ...(reasoning !== '' && { ReasoningContent: reasoning }),
      ...(toolCalls.length > 0 && { ToolCalls: callsOf(toolCalls) }),
    },
  }
}

function callsOf(calls: ChatResponse['toolCalls']) {
  return calls.map(({ id, name, arguments: text }, index) => ({
    Id: id,
    Type: 'function',
    Index: index,
    Function: { Name: name, Arguments: text },
  }))
}

function finishOf({ finish }: ChatResponse): string {
  if (finish === 'tool-calls') return 'tool_calls'
  return finish === 'refusal' ? 'sensitive' : 'stop'
}

function chunkOf(
  response: ChatResponse,
  content: object,
  placement: StreamOptions['placement'],
  finish = finishOf(response),
) {
  const { input, output } = response.counts
  return {
    Note: 'the words of a machine',
    Id: `hunyuan-fake-${response.sequence}`,
    Created: response.created,
    Choices: [{ Index: 0, ...content, FinishReason: finish }],
    ...(placement !== 'missing' && {
      Usage: { PromptTokens: input, CompletionTokens: output, TotalTokens: input + output },
    }),
  }
}

function eventsOf(response: ChatResponse, { placement, deltaLength }: StreamOptions): UpstreamEvent[] {
  const piece = (delta: object, finish = '') =>
    chunkOf(response, { Delta: { Role: 'assistant', ...delta } }, placement, finish)
  const thoughts = response.reasoning === '' ? [] : [event(piece({ ReasoningContent: response.reasoning }))]
  const texts = deltasOf(response.text, deltaLength).map((text) => event(piece({ Content: text }), text))
  const calls = response.toolCalls.length === 0 ? [] : [event(piece({ ToolCalls: callsOf(response.toolCalls) }))]
  return [...thoughts, ...texts, ...calls, event(piece({ Content: '' }, finishOf(response)))]
}

function event(data: object, text = ''): UpstreamEvent {
  return { data: JSON.stringify(data), text, tokens: countTokens(text) }
}

const CODES: Readonly<Record<number, string>> = {
  400: 'InvalidParameterValue',
  401: 'AuthFailure.SignatureFailure',
  402: 'FailedOperation.ResourcePackExhausted',
  429: 'RequestLimitExceeded',
}

function codeOf({ status, code }: Failure): string {
  return code ?? CODES[status] ?? 'InternalError'
}
