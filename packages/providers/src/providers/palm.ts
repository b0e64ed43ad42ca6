import { asList, asText, asJsonObject, type JsonObject } from '@tidegate/dialects'
import { endpoint } from '../target.ts'
import { classifyGemini } from '../gemini-compatible.ts'
import { messagesOf, refuseImages, refuseOutputFormat, refuseTools } from '../custom-protocols/read-chat-request.ts'
import { failureInside, FAILURES } from '../upstream/failure.ts'
import type { Said } from '../custom-protocols/response-chunk.ts'
import { betweenClients, takeTurns } from '../custom-protocols/merge-turns.ts'
import { translateAnswer } from '../custom-protocols/translate-response.ts'
import { defineProvider } from '../provider.ts'

const HOME = 'https://generativelanguage.googleapis.com'
const MODEL = 'chat-bison-001'

/** Google's models before Gemini: no streams, no tools, no counts. */
export const palm = defineProvider({
  id: 'palm',
  baseUrl: HOME,
  models: ['PaLM-2'],
  authorize: ({ key }) => ({ 'x-goog-api-key': key }),
  conversations: [
    {
      dialect: 'openai-chat',
      url: ({ baseUrl, model }) =>
        endpoint(baseUrl || HOME, `/v1beta2/models/${encodeURIComponent(nameOf(model))}:generateMessage`),
      streams: false,
      encode: encodePalm,
      unpack: (response, context) => translateAnswer(response, context, { event: () => undefined, whole: readPalm }),
    },
  ],
  classify: classifyGemini,
})

/** The name it is sold under is none that Google knows. */
function nameOf(model: string): string {
  return model.includes('bison') ? model : MODEL
}

function encodePalm(body: JsonObject): JsonObject {
  const messages = messagesOf(body)
  refuseTools(body, messages)
  refuseImages(messages)
  refuseOutputFormat(body)
  const { instructions, turns } = takeTurns(messages)
  return {
    prompt: {
      ...(instructions !== '' && { context: instructions }),
      messages: betweenClients(turns).map(({ role, text }) => ({
        author: role === 'assistant' ? '1' : '0',
        content: text,
      })),
    },
    candidateCount: 1,
    ...(typeof body.temperature === 'number' && { temperature: Math.min(1, body.temperature) }),
    ...(typeof body.top_p === 'number' && { topP: body.top_p }),
  }
}

function readPalm(answer: JsonObject): Said {
  refuseErrors(answer)
  const text = asText(asJsonObject(asList(answer.candidates)[0])?.content)
  if (text !== '') return { text, finish: 'stop' }
  if (asList(answer.filters).length > 0) return { finish: 'content_filter' }
  throw FAILURES.empty()
}

function refuseErrors({ error }: JsonObject): void {
  const told = asJsonObject(error)
  if (!told) return
  const { code, status, message } = told
  throw failureInside({
    fault: 'server',
    code: asText(status),
    message: asText(message),
    ...(typeof code === 'number' && code >= 400 && code < 600 && { status: code }),
  })
}
