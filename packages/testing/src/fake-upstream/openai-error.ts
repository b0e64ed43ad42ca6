import type { Failure, ReceivedRequest, UpstreamEvent } from './types.ts'

/** What every form of OpenAI has in common: the key, and the shape of errors. */
export function bearerOf({ headers }: ReceivedRequest): string | undefined {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
}

export function openaiError({ status, message, param, code }: Failure) {
  // A wrong key is a fault of the request to OpenAI, although it answers 401.
  const type = code === 'invalid_api_key' ? 'invalid_request_error' : (TYPES[status] ?? 'server_error')
  return { error: { message, type, param: param ?? null, code: code ?? null } }
}

export function openaiErrorEvent(failure: Failure): UpstreamEvent {
  return { data: JSON.stringify(openaiError(failure)), text: '', tokens: 0 }
}

export const DONE: UpstreamEvent = { data: '[DONE]', text: '', tokens: 0 }

const TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'invalid_request_error',
  429: 'rate_limit_error',
}
