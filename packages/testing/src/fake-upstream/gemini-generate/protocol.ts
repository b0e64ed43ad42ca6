import { writeJson } from '../write-json.ts'
import { checkGenerate } from './check-request.ts'
import type { GeminiContent, GeminiRequest } from './request.ts'
import { geminiResponse, geminiStream } from './response.ts'
import type { ChatRequest, Failure, ReceivedRequest, Protocol } from '../types.ts'

/** Google's generateContent and streamGenerateContent. */
export const geminiGenerate: Protocol = {
  id: 'gemini-generate',
  matches: ({ method, path }) => method === 'POST' && ADDRESS.test(path),
  keyOf: ({ headers, query }) => (headers['x-goog-api-key'] as string | undefined) ?? query.get('key') ?? undefined,
  read,
  check: (request, state) => checkGenerate((request.body ?? {}) as GeminiRequest, read(request).model, state),
  responseBody: (response, state, placement) => writeJson(geminiResponse(response, state, placement)),
  responseStream: geminiStream,
  errorBody: geminiError,
  errorEvent: (failure) => ({ data: JSON.stringify(geminiError(failure)), text: '', tokens: 0 }),
  isEventStream: ({ query }) => query.get('alt') === 'sse',
}

export function geminiError({ status, message }: Failure) {
  return { error: { code: status, message, status: STATUS_NAMES[status] ?? 'UNKNOWN' } }
}

function read({ path, body }: ReceivedRequest): ChatRequest {
  const request = (body ?? {}) as GeminiRequest
  const [, model = 'unknown', action] = ADDRESS.exec(path) ?? []
  const { generationConfig: config = {}, contents = [] } = request
  return {
    model: decodeURIComponent(model),
    stream: action === 'streamGenerateContent',
    includeUsage: true,
    limit: config.maxOutputTokens ?? Infinity,
    stop: config.stopSequences ?? [],
    lastUserText: textOf(contents.findLast(({ role }) => role !== 'model')),
    promptTexts: [request.systemInstruction, ...contents].map(textOf),
    showReasoning: config.thinkingConfig?.includeThoughts === true,
    signReasoning: true,
  }
}

function textOf(content: Pick<GeminiContent, 'parts'> | undefined): string {
  const parts = content?.parts ?? []
  return parts
    .map(({ text, functionResponse: result }) => text ?? (result ? JSON.stringify(result.response) : ''))
    .join('')
}

const ADDRESS = /^\/v1[a-z0-9]*\/models\/([^/:]+):(generateContent|streamGenerateContent)$/
const STATUS_NAMES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}
