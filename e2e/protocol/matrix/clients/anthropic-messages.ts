import Anthropic, { APIError } from '@anthropic-ai/sdk'
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

type Message = Anthropic.Message
type Block = Anthropic.ContentBlockParam

/** `@anthropic-ai/sdk`, Messages. */
export const anthropicClient: Client = {
  protocol: 'anthropic-messages',
  finishReasons: {
    stop: 'end_turn',
    'stop-sequence': 'stop_sequence',
    length: 'max_tokens',
    'tool-calls': 'tool_use',
    refusal: 'refusal',
  },
  open: openMessages,
  endsWell: (raw) => /\nevent: message_stop\r?\ndata: \{"type":"message_stop"\}\s*$/.test(raw),
  isOwnError: ({ shape }) => {
    const { type, error } = (shape ?? {}) as { type?: string; error?: { type?: string; message?: string } }
    return type === 'error' && typeof error?.type === 'string' && typeof error.message === 'string'
  },
}

function openMessages({ url, key, model: first, stream, settings }: ConversationOptions): Conversation {
  let model = first
  const wire = tap()
  const sdk = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0, fetch: wire.fetch })
  const messages: Anthropic.MessageParam[] = []

  async function send(content: Block[]): Promise<ClientResponse> {
    messages.push({ role: 'user', content })
    const request = { model, messages: [...messages], ...paramsOf(settings) }
    const partial: PartialResponse = { text: '', thinking: '', inputs: new Map() }
    try {
      const message = stream ? await readStream(sdk, request, partial) : await sdk.messages.create(request)
      messages.push({ role: 'assistant', content: message.content })
      return { ...responseFrom(message, partial.inputs), raw: await wire.raw() }
    } catch (error) {
      const { text, thinking } = partial
      return { ...EMPTY_RESPONSE, text, thinking, error: errorOf(error), raw: await wire.raw() }
    }
  }

  return {
    send: (...parts) => send(parts.map(blockOf)),
    sendToolResults: (results) => send(results.map(resultBlock)),
    turnTo: (other) => void (model = other),
  }
}

interface PartialResponse {
  text: string
  thinking: string
  /** Streamed arguments by block index. */
  inputs: Map<number, string>
}

async function readStream(
  sdk: Anthropic,
  request: Anthropic.MessageCreateParamsNonStreaming,
  partial: PartialResponse,
): Promise<Message> {
  const stream = sdk.messages.stream(request)
  stream.on('text', (delta) => {
    partial.text += delta
  })
  stream.on('streamEvent', (event) => {
    if (event.type !== 'content_block_delta' || event.delta.type !== 'input_json_delta') return
    partial.inputs.set(event.index, (partial.inputs.get(event.index) ?? '') + event.delta.partial_json)
  })
  return await stream.finalMessage()
}

function responseFrom(message: Message, inputs: ReadonlyMap<number, string>): ClientResponse {
  const { content, usage } = message
  return {
    ...EMPTY_RESPONSE,
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    thinking: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    toolCalls: content.flatMap((block, index) => {
      if (block.type !== 'tool_use') return []
      const streamed = inputs.get(index)
      const text = streamed ?? JSON.stringify(block.input)
      return [{ id: block.id, name: block.name, arguments: text, exact: streamed !== undefined }]
    }),
    finish: message.stop_reason ?? undefined,
    stopSequence: message.stop_sequence ?? undefined,
    usage: {
      input: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
      output: usage.output_tokens,
      cacheRead: usage.cache_read_input_tokens ?? 0,
      cacheWrite: usage.cache_creation_input_tokens ?? 0,
      reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
    },
  }
}

function errorOf(error: unknown): ReceivedError {
  if (!(error instanceof APIError)) throw error
  return { status: error.status, message: error.message, shape: error.error }
}

function blockOf(part: MessagePart): Block {
  if ('text' in part) return { type: 'text', text: part.text, ...(part.marked && MARK) }
  if ('imageUrl' in part) return { type: 'image', source: { type: 'url', url: part.imageUrl } }
  if ('image' in part) return { type: 'image', source: base64(part.image) }
  const { name, mediaType, data } = part.document
  if (mediaType !== 'application/pdf') throw new Error(`no document of the type ${mediaType}`)
  return { type: 'document', title: name, source: { type: 'base64', media_type: mediaType, data } }
}

function resultBlock({ callId, text, image }: ToolResult): Block {
  const message = { type: 'text' as const, text }
  const shown = image === undefined ? [] : [{ type: 'image' as const, source: base64(image) }]
  return { type: 'tool_result', tool_use_id: callId, content: [message, ...shown] }
}

function base64({ mediaType, data }: { mediaType: string; data: string }): Anthropic.Base64ImageSource {
  return { type: 'base64', media_type: mediaType as 'image/png', data }
}

function paramsOf({ system, systemMarked, tools, thinking, maxTokens = 4096, stop, schema }: ChatSettings) {
  return {
    max_tokens: maxTokens,
    ...(system && { system: systemMarked ? [{ type: 'text' as const, text: system, ...MARK }] : system }),
    ...(tools && {
      tools: tools.map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: parameters as Anthropic.Tool.InputSchema,
      })),
    }),
    ...(thinking && { thinking: { type: 'enabled' as const, budget_tokens: 2048 } }),
    ...(stop && { stop_sequences: [...stop] }),
    ...(schema && { output_config: { format: { type: 'json_schema' as const, schema: schema.schema } } }),
  }
}

const MARK = { cache_control: { type: 'ephemeral' as const } }
