import { countTokens, deltasOf } from '../tokens.ts'
import { bearerOf } from '../openai-wire.ts'
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

interface DifyRequest {
  query?: string
  user?: string
  inputs?: object
  response_mode?: string
  files?: readonly { type?: string; transfer_method?: string; url?: string; upload_file_id?: string }[]
}

/** A chat application of Dify that runs a workflow. */
export const dify: Protocol = {
  id: 'dify',
  matches: ({ method, path }) => method === 'POST' && path === '/v1/chat-messages',
  keyOf: bearerOf,
  read,
  check,
  responseBody: (response, _state, placement) =>
    JSON.stringify({
      event: 'message',
      mode: 'advanced-chat',
      ...headOf(response),
      answer: response.text,
      ...metadata(response, placement),
    }),
  responseStream: (response, _state, options) => ({
    events: eventsOf(response, options),
    endMark: endOf(response, options),
  }),
  errorBody,
  errorEvent: (failure) => event({ event: 'error', ...errorBody(failure) }),
}

function read({ body }: ReceivedRequest): ChatRequest {
  const { query = '', response_mode } = (body ?? {}) as DifyRequest
  return {
    model: 'dify',
    stream: response_mode === 'streaming',
    includeUsage: true,
    limit: Infinity,
    stop: [],
    lastUserText: query,
    promptTexts: [query],
    showReasoning: true,
    signReasoning: false,
  }
}

function check({ body }: ReceivedRequest): void {
  const { query, user, inputs, response_mode, files = [] } = (body ?? {}) as DifyRequest
  requireThat(query, 'query is required in input form')
  requireThat(user, 'user is required')
  requireThat(inputs, 'inputs is required in input form')
  requireThat(response_mode === 'streaming' || response_mode === 'blocking', 'response_mode is not known')
  for (const { transfer_method, url, upload_file_id } of files) {
    if (transfer_method === 'local_file') requireThat(upload_file_id, 'upload_file_id is required')
    else requireThat(/^https?:/.test(url ?? ''), 'the address of the file is none')
  }
}

function headOf({ sequence, created }: ChatResponse) {
  return {
    task_id: `task-${sequence}`,
    message_id: `message-${sequence}`,
    conversation_id: 'c',
    created_at: created,
  }
}

function metadata({ counts: { input, output } }: ChatResponse, placement: StreamOptions['placement']) {
  if (placement === 'missing') return { metadata: {} }
  return { metadata: { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } } }
}

function eventsOf(response: ChatResponse, { deltaLength }: StreamOptions): UpstreamEvent[] {
  const step = (name: string) => event({ event: name, ...headOf(response), data: { id: 'step' } })
  const texts = deltasOf(response.text, deltaLength).map((text) =>
    event({ event: 'message', ...headOf(response), answer: text }, text),
  )
  return [step('workflow_started'), step('node_started'), ...texts, step('node_finished'), step('workflow_finished')]
}

function endOf(response: ChatResponse, { placement }: StreamOptions): UpstreamEvent {
  return event({ event: 'message_end', ...headOf(response), ...metadata(response, placement) })
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
