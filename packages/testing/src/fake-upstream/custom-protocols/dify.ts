import { countTokens, deltasOf } from '../tokens.ts'
import { bearerOf } from '../openai-wire.ts'
import { demand } from '../checks.ts'
import type { Answer, Asked, Failure, ReceivedRequest, StreamWishes, UpstreamEvent, WireForm } from '../types.ts'

interface DifyRequest {
  query?: string
  user?: string
  inputs?: object
  response_mode?: string
  files?: readonly { type?: string; transfer_method?: string; url?: string; upload_file_id?: string }[]
}

/** A chat application of Dify's, with a workflow behind it. */
export const dify: WireForm = {
  id: 'dify',
  serves: ({ method, path }) => method === 'POST' && path === '/v1/chat-messages',
  keyOf: bearerOf,
  read,
  check,
  wholeAnswer: (answer, _vendor, placement) =>
    JSON.stringify({
      event: 'message',
      mode: 'advanced-chat',
      ...headOf(answer),
      answer: answer.text,
      ...metadata(answer, placement),
    }),
  streamOf: (answer, _vendor, wishes) => ({ events: eventsOf(answer, wishes), endMark: endOf(answer, wishes) }),
  errorBody,
  errorEvent: (failure) => event({ event: 'error', ...errorBody(failure) }),
}

function read({ body }: ReceivedRequest): Asked {
  const { query = '', response_mode } = (body ?? {}) as DifyRequest
  return {
    model: 'dify',
    stream: response_mode === 'streaming',
    includeUsage: true,
    limit: Infinity,
    stop: [],
    lastUserText: query,
    promptTexts: [query],
    showThoughts: true,
    sealThoughts: false,
  }
}

function check({ body }: ReceivedRequest): void {
  const { query, user, inputs, response_mode, files = [] } = (body ?? {}) as DifyRequest
  demand(query, 'query is required in input form')
  demand(user, 'user is required')
  demand(inputs, 'inputs is required in input form')
  demand(response_mode === 'streaming' || response_mode === 'blocking', 'response_mode is not known')
  for (const { transfer_method, url, upload_file_id } of files) {
    if (transfer_method === 'local_file') demand(upload_file_id, 'upload_file_id is required')
    else demand(/^https?:/.test(url ?? ''), 'the address of the file is none')
  }
}

function headOf({ sequence, created }: Answer) {
  return {
    task_id: `task-${sequence}`,
    message_id: `message-${sequence}`,
    conversation_id: 'c',
    created_at: created,
  }
}

function metadata({ counts: { input, output } }: Answer, placement: StreamWishes['placement']) {
  if (placement === 'missing') return { metadata: {} }
  return { metadata: { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } } }
}

function eventsOf(answer: Answer, { deltaLength }: StreamWishes): UpstreamEvent[] {
  const step = (name: string) => event({ event: name, ...headOf(answer), data: { id: 'step' } })
  const texts = deltasOf(answer.text, deltaLength).map((text) =>
    event({ event: 'message', ...headOf(answer), answer: text }, text),
  )
  return [step('workflow_started'), step('node_started'), ...texts, step('node_finished'), step('workflow_finished')]
}

function endOf(answer: Answer, { placement }: StreamWishes): UpstreamEvent {
  return event({ event: 'message_end', ...headOf(answer), ...metadata(answer, placement) })
}

function event(data: object, text = ''): UpstreamEvent {
  return { data: JSON.stringify(data), text, tokens: countTokens(text) }
}

const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_param',
  401: 'unauthorized',
  402: 'provider_quota_exceeded',
  429: 'too_many_requests',
}

function errorBody({ status, code, message }: Failure) {
  return { status, code: code ?? CODES[status] ?? 'internal_server_error', message }
}
