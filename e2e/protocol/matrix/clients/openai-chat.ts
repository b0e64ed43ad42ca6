import OpenAI, { APIError } from 'openai'
import {
  type Client,
  type Conversation,
  type ClientResponse,
  type ReceivedError,
  EMPTY_RESPONSE,
  type ConversationOptions,
  type MessagePart,
  type Tool,
  type ToolResult,
  type ChatSettings,
} from '../conversation.ts'
import { tap } from './record-response.ts'

type Message = OpenAI.ChatCompletionMessageParam
type Completion = OpenAI.ChatCompletion

/** `openai`, chat completions. */
export const openaiChatClient: Client = {
  protocol: 'openai-chat',
  finishReasons: {
    stop: 'stop',
    'stop-sequence': 'stop',
    length: 'length',
    'tool-calls': 'tool_calls',
    refusal: 'content_filter',
  },
  open: openChat,
  endsWell: (raw) => raw.trimEnd().endsWith('\ndata: [DONE]'),
  isOwnError: ({ shape }) => {
    const { message, type, code } = (shape ?? {}) as Record<string, unknown>
    return typeof message === 'string' && typeof type === 'string' && code !== undefined
  },
}

function openChat({ url, key, model: first, stream, settings }: ConversationOptions): Conversation {
  let model = first
  const wire = tap()
  const sdk = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0, fetch: wire.fetch })
  const messages: Message[] = settings.system === undefined ? [] : [systemMessage(settings)]

  async function send(...added: Message[]): Promise<ClientResponse> {
    messages.push(...added)
    const request = { model, messages: [...messages], ...paramsOf(settings) }
    const partial = { text: '', thinking: '' }
    try {
      const completion = stream ? await readStream(sdk, request, partial) : await sdk.chat.completions.create(request)
      messages.push(echoOf(completion, stream ? partial.thinking : undefined))
      return { ...responseFrom(completion, partial), raw: await wire.raw() }
    } catch (error) {
      return { ...EMPTY_RESPONSE, ...partial, error: errorOf(error), raw: await wire.raw() }
    }
  }

  return {
    send: (...parts) => send({ role: 'user', content: contentOf(parts) }),
    sendToolResults: (results) => send(...results.map(toolMessage)),
    turnTo: (other) => void (model = other),
  }
}

async function readStream(
  sdk: OpenAI,
  request: OpenAI.ChatCompletionCreateParamsNonStreaming,
  partial: { text: string; thinking: string },
): Promise<Completion> {
  const stream = sdk.chat.completions.stream({ ...request, stream: true, stream_options: { include_usage: true } })
  stream.on('chunk', ({ choices }) => {
    const delta = choices[0]?.delta as { content?: string; reasoning_content?: string } | undefined
    partial.text += delta?.content ?? ''
    partial.thinking += delta?.reasoning_content ?? ''
  })
  return await stream.finalChatCompletion()
}

/**
 * What clients of reasoning providers send back: the message with the joined thinking. The SDK's accumulator keeps only
 * the last chunk of an unknown field.
 */
function echoOf({ choices }: Completion, thinking: string | undefined): Message {
  const message = choices[0]!.message
  return thinking ? ({ ...message, reasoning_content: thinking } as Message) : message
}

function responseFrom({ choices, usage }: Completion, partial: { thinking: string }): ClientResponse {
  const { message, finish_reason: finish } = choices[0]!
  const thinking = partial.thinking || ((message as { reasoning_content?: string }).reasoning_content ?? '')
  return {
    ...EMPTY_RESPONSE,
    text: (message.content ?? '') + (message.refusal ?? ''),
    thinking,
    toolCalls: (message.tool_calls ?? []).map((request) => {
      const text = request.type === 'function' ? request.function.arguments : request.custom.input
      const { name } = request.type === 'function' ? request.function : request.custom
      return { id: request.id, name, arguments: text, exact: true }
    }),
    finish,
    usage: usage && {
      input: usage.prompt_tokens,
      output: usage.completion_tokens,
      cacheRead: usage.prompt_tokens_details?.cached_tokens ?? 0,
      reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
    },
  }
}

function errorOf(error: unknown): ReceivedError {
  if (!(error instanceof APIError)) throw error
  return { status: error.status, message: error.message, shape: error.error }
}

function systemMessage({ system = '', systemMarked }: ChatSettings): Message {
  return { role: 'system', content: systemMarked ? [{ type: 'text', text: system, ...MARK }] : system }
}

function contentOf(parts: readonly MessagePart[]): OpenAI.ChatCompletionContentPart[] {
  return parts.map((part): OpenAI.ChatCompletionContentPart => {
    if ('text' in part) return { type: 'text', text: part.text, ...(part.marked && MARK) }
    if ('imageUrl' in part) return { type: 'image_url', image_url: { url: part.imageUrl } }
    if ('image' in part) return { type: 'image_url', image_url: { url: dataUrl(part.image) } }
    const { name, ...media } = part.document
    return { type: 'file', file: { filename: name, file_data: dataUrl(media) } }
  })
}

function toolMessage({ callId, text, image }: ToolResult): Message {
  if (image === undefined) return { role: 'tool', tool_call_id: callId, content: text }
  const picture = { type: 'image_url', image_url: { url: dataUrl(image) } }
  // OpenAI accepts only text here; clients of routers send images anyway.
  const content = [{ type: 'text', text }, picture] as OpenAI.ChatCompletionContentPartText[]
  return { role: 'tool', tool_call_id: callId, content }
}

function paramsOf({ tools, thinking, maxTokens, stop, schema }: ChatSettings) {
  return {
    ...(tools && { tools: tools.map(toolOf) }),
    // Clients of routers use the second field to request thinking; OpenAI's chat never returns it.
    ...(thinking && { reasoning_effort: 'medium' as const, reasoning: { exclude: false } }),
    ...(maxTokens && { max_tokens: maxTokens }),
    ...(stop && { stop: [...stop] }),
    ...(schema && { response_format: { type: 'json_schema' as const, json_schema: { ...schema, strict: true } } }),
  }
}

function toolOf({ name, description, parameters, takesText }: Tool): OpenAI.ChatCompletionTool {
  return takesText
    ? { type: 'custom', custom: { name, description } }
    : { type: 'function', function: { name, description, parameters } }
}

function dataUrl({ mediaType, data }: { mediaType: string; data: string }): string {
  return `data:${mediaType};base64,${data}`
}

const MARK = { prompt_cache_breakpoint: { mode: 'explicit' as const } }
