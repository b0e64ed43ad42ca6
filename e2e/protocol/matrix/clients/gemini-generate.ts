import {
  ApiError,
  type Chat,
  type GenerateContentConfig,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
} from '@google/genai'
import {
  type Client,
  type Conversation,
  type ClientResponse,
  type ReceivedError,
  EMPTY_RESPONSE,
  type ConversationOptions,
  type MessagePart,
  type ToolResult,
  type ChatSettings,
} from '../conversation.ts'
import { tap } from './record-response.ts'

/** `@google/genai`. Its chat keeps the history and drops malformed parts of it. */
export const geminiClient: Client = {
  protocol: 'gemini-generate',
  finishReasons: {
    stop: 'STOP',
    'stop-sequence': 'STOP',
    length: 'MAX_TOKENS',
    'tool-calls': 'STOP',
    refusal: 'SAFETY',
  },
  open: openChat,
  endsWell: (raw) => /"finishReason":"[A-Z_]+"/.test(raw.trimEnd().split('\n').at(-1) ?? ''),
  isOwnError: ({ shape }) => {
    const { code, message, status } = (shape as { error?: Record<string, unknown> } | undefined)?.error ?? {}
    return typeof code === 'number' && typeof message === 'string' && typeof status === 'string'
  },
}

function openChat({ url, key, model, stream, settings }: ConversationOptions): Conversation {
  const wire = tap()
  const sdk = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url, fetch: wire.fetch } })
  const config = configOf(settings)
  let chat = sdk.chats.create({ model, config })

  async function send(message: Part[]): Promise<ClientResponse> {
    const responses: GenerateContentResponse[] = []
    try {
      if (stream) await readStream(chat, message, responses)
      else responses.push(await chat.sendMessage({ message }))
      return { ...responseFrom(responses), raw: await wire.raw() }
    } catch (error) {
      const raw = await wire.raw()
      return { ...responseFrom(responses), error: errorOf(error, raw), raw }
    }
  }

  return {
    send: (...parts) => send(parts.map(partOf)),
    sendToolResults: (results) => send(results.map(resultPart)),
    turnTo(other) {
      chat = sdk.chats.create({ model: other, config, history: chat.getHistory() })
    },
  }
}

async function readStream(chat: Chat, message: Part[], responses: GenerateContentResponse[]): Promise<void> {
  for await (const response of await chat.sendMessageStream({ message })) responses.push(response)
}

function responseFrom(responses: readonly GenerateContentResponse[]): ClientResponse {
  const parts = responses.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  const usage = responses.at(-1)?.usageMetadata
  const textOf = (thought: boolean) =>
    parts.map((part) => (Boolean(part.thought) === thought ? (part.text ?? '') : '')).join('')
  return {
    ...EMPTY_RESPONSE,
    text: textOf(false),
    thinking: textOf(true),
    toolCalls: parts.flatMap(({ functionCall: request }) => {
      if (request === undefined) return []
      const { id = '', name = '', args } = request
      return [{ id, name, arguments: JSON.stringify(args), exact: false }]
    }),
    finish: responses.findLast(({ candidates }) => candidates?.[0]?.finishReason)?.candidates?.[0]?.finishReason,
    usage: usage && {
      input: usage.promptTokenCount ?? 0,
      output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
      cacheRead: usage.cachedContentTokenCount ?? 0,
      reasoning: usage.thoughtsTokenCount ?? 0,
    },
  }
}

/**
 * The SDK puts the error object into its message as text. If the error arrives in one read with earlier content, the
 * SDK only reports a broken stream; the cause is in the last event.
 */
function errorOf(error: unknown, raw: string): ReceivedError {
  if (error instanceof ApiError) return readError(error.message.slice(error.message.indexOf('{')), error.status)
  if (!(error instanceof Error) || error.message !== 'Incomplete JSON segment at the end') throw error
  return readError(raw.slice(raw.lastIndexOf('data: ') + 'data: '.length).split('\n')[0]!, undefined)
}

function readError(json: string, status: number | undefined): ReceivedError {
  const shape = JSON.parse(json) as { error?: { message?: string } }
  return { status, message: shape.error?.message ?? '', shape }
}

function partOf(part: MessagePart): Part {
  if ('text' in part) return { text: part.text }
  if ('imageUrl' in part) return { fileData: { fileUri: part.imageUrl, mimeType: 'image/png' } }
  const { mediaType, data } = 'image' in part ? part.image : part.document
  return { inlineData: { mimeType: mediaType, data } }
}

function resultPart({ callId, name, text, image }: ToolResult): Part {
  const parts = image && [{ inlineData: { mimeType: image.mediaType, data: image.data } }]
  return { functionResponse: { id: callId, name, response: { output: text }, ...(parts && { parts }) } }
}

function configOf({ system, tools, thinking, maxTokens, stop, schema }: ChatSettings): GenerateContentConfig {
  return {
    ...(system && { systemInstruction: system }),
    ...(tools && {
      tools: [
        {
          functionDeclarations: tools.map(({ name, description, parameters }) => ({
            name,
            description,
            parametersJsonSchema: parameters,
          })),
        },
      ],
    }),
    ...(thinking && { thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 } }),
    ...(maxTokens && { maxOutputTokens: maxTokens }),
    ...(stop && { stopSequences: [...stop] }),
    ...(schema && { responseMimeType: 'application/json', responseJsonSchema: schema.schema }),
  }
}
