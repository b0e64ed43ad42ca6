import { countTokens, deltasOf } from '../tokens.ts'
import { demand } from '../checks.ts'
import type { Answer, Asked, Failure, ReceivedRequest, StreamWishes, UpstreamEvent, WireForm } from '../types.ts'

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

/** Tencent's ChatCompletions: one address, and headers that say what is wanted of it. */
export const hunyuan: WireForm = {
  id: 'hunyuan',
  serves: ({ method, path, headers }) => method === 'POST' && path === '/' && headers['x-tc-action'] !== undefined,
  keyOf: ({ headers }) => /Credential=([^/]+)\//.exec(headers.authorization ?? '')?.[1],
  read,
  check,
  wholeAnswer: (answer, _vendor, placement) =>
    JSON.stringify({ Response: { RequestId: 'fake', ...wordsOf(answer, messageOf(answer), placement) } }),
  streamOf: (answer, _vendor, wishes) => ({ events: eventsOf(answer, wishes) }),
  errorBody: (failure) => ({ Response: { Error: { Code: codeOf(failure), Message: failure.message } } }),
  errorEvent: ({ status, message }) => event({ ErrorMsg: { Code: status, Msg: message } }),
}

function read({ body }: ReceivedRequest): Asked {
  const { Model = 'unknown', Messages = [], Stream = false, Stop = [] } = (body ?? {}) as HunyuanRequest
  return {
    model: Model,
    stream: Stream,
    includeUsage: true,
    limit: Infinity,
    stop: Stop,
    lastUserText: textOf(Messages.findLast(({ Role }) => Role === 'user')),
    promptTexts: Messages.map(textOf),
    showThoughts: true,
    sealThoughts: false,
  }
}

function textOf(message: Message | undefined): string {
  return message?.Content ?? (message?.Contents ?? []).map(({ Text = '' }) => Text).join('')
}

function check({ headers, body }: ReceivedRequest): void {
  const { Model, Messages = [] } = (body ?? {}) as HunyuanRequest
  demand(headers['x-tc-action'] === 'ChatCompletions' && headers['x-tc-version'] === '2023-09-01', 'unknown action')
  demand(headers['x-tc-timestamp'] !== undefined, 'X-TC-Timestamp is missing')
  demand(headers.authorization?.startsWith('TC3-HMAC-SHA256 '), 'the request is not signed')
  demand(Model, 'Model is missing')
  const [first, ...rest] = Messages
  const turns = first?.Role === 'system' ? rest : Messages
  demand(
    turns.every(({ Role }) => Role !== 'system'),
    'system must be the first message',
  )
  const sides = turns.map(({ Role }) => Role).filter((role, place, all) => role !== 'tool' || all[place - 1] !== 'tool')
  demand(
    sides.every((side, place) => (place % 2 === 0) === (side !== 'assistant')),
    'user and assistant must take turns',
  )
}

function messageOf({ text, toolCalls, reasoning }: Answer) {
  return {
    Message: {
      Role: 'assistant',
      Content: text,
      ...(reasoning !== '' && { ReasoningContent: reasoning }),
      ...(toolCalls.length > 0 && { ToolCalls: callsOf(toolCalls) }),
    },
  }
}

function callsOf(calls: Answer['toolCalls']) {
  return calls.map(({ id, name, arguments: text }, index) => ({
    Id: id,
    Type: 'function',
    Index: index,
    Function: { Name: name, Arguments: text },
  }))
}

function finishOf({ finish }: Answer): string {
  if (finish === 'tool-calls') return 'tool_calls'
  return finish === 'refusal' ? 'sensitive' : 'stop'
}

function wordsOf(answer: Answer, said: object, placement: StreamWishes['placement'], finish = finishOf(answer)) {
  const { input, output } = answer.counts
  return {
    Note: 'the words of a machine',
    Id: `hunyuan-fake-${answer.sequence}`,
    Created: answer.created,
    Choices: [{ Index: 0, ...said, FinishReason: finish }],
    ...(placement !== 'missing' && {
      Usage: { PromptTokens: input, CompletionTokens: output, TotalTokens: input + output },
    }),
  }
}

function eventsOf(answer: Answer, { placement, deltaLength }: StreamWishes): UpstreamEvent[] {
  const piece = (delta: object, finish = '') =>
    wordsOf(answer, { Delta: { Role: 'assistant', ...delta } }, placement, finish)
  const thoughts = answer.reasoning === '' ? [] : [event(piece({ ReasoningContent: answer.reasoning }))]
  const texts = deltasOf(answer.text, deltaLength).map((text) => event(piece({ Content: text }), text))
  const calls = answer.toolCalls.length === 0 ? [] : [event(piece({ ToolCalls: callsOf(answer.toolCalls) }))]
  return [...thoughts, ...texts, ...calls, event(piece({ Content: '' }, finishOf(answer)))]
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
