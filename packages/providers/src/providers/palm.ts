import { asList, asText, asJsonObject, type JsonObject } from '@tidegate/dialects'
import { endpoint } from '../target.ts'
import { classifyGemini } from '../gemini-compatible.ts'
import { readMessages, rejectImages, rejectOutputFormat, rejectTools } from '../custom-protocols/read-chat-request.ts'
import { failureInBody, FAILURES } from '../upstream/failure.ts'
import type { ResponseChunk } from '../custom-protocols/response-chunk.ts'
import { startAndEndWithUser, mergeTurns } from '../custom-protocols/merge-turns.ts'
import { translateResponse } from '../custom-protocols/translate-response.ts'
import { defineProvider } from '../provider.ts'

const HOME = 'https://generativelanguage.googleapis.com'
const MODEL = 'chat-bison-001'

/** Google's models before Gemini (legacy): no streams, no tools, no usage. Channels of type 11 still use it. */
export const palm = defineProvider({
  id: 'palm',
  baseUrl: HOME,
  models: ['PaLM-2'],
  authorize: ({ key }) => ({ 'x-goog-api-key': key }),
  chatApis: [
    {
      dialect: 'openai-chat',
      url: ({ baseUrl, model }) =>
        endpoint(baseUrl || HOME, `/v1beta2/models/${encodeURIComponent(modelName(model))}:generateMessage`),
      streams: false,
      encode: encodePalm,
      unpack: (response, context) =>
        translateResponse(response, context, { readEvent: () => undefined, readBody: readPalm }),
    },
  ],
  classify: classifyGemini,
})

/** Google does not know the marketing name. */
function modelName(model: string): string {
  return model.includes('bison') ? model : MODEL
}

function encodePalm(body: JsonObject): JsonObject {
  const messages = readMessages(body)
  rejectTools(body, messages)
  rejectImages(messages)
  rejectOutputFormat(body)
  const { instructions, turns } = mergeTurns(messages)
  return {
    prompt: {
      ...(instructions !== '' && { context: instructions }),
      messages: startAndEndWithUser(turns).map(({ role, text }) => ({
        author: role === 'assistant' ? '1' : '0',
        content: text,
      })),
    },
    candidateCount: 1,
    ...(typeof body.temperature === 'number' && { temperature: Math.min(1, body.temperature) }),
    ...(typeof body.top_p === 'number' && { topP: body.top_p }),
  }
}

function readPalm(body: JsonObject): ResponseChunk {
  throwOnError(body)
  const text = asText(asJsonObject(asList(body.candidates)[0])?.content)
  if (text !== '') return { text, finishReason: 'stop' }
  if (asList(body.filters).length > 0) return { finishReason: 'content_filter' }
  throw FAILURES.empty()
}

function throwOnError({ error }: JsonObject): void {
  const details = asJsonObject(error)
  if (!details) return
  const { code, status, message } = details
  throw failureInBody({
    failureClass: 'server',
    code: asText(status),
    message: asText(message),
    ...(typeof code === 'number' && code >= 400 && code < 600 && { status: code }),
  })
}
