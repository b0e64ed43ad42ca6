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

type Item = OpenAI.Responses.ResponseInputItem
type ApiResponse = OpenAI.Responses.Response

/** `openai`, Responses. The provider stores nothing: the client sends the conversation, as Codex does. */
export const openaiResponsesClient: Client = {
  protocol: 'openai-responses',
  finishReasons: {
    stop: 'completed',
    'stop-sequence': 'completed',
    length: 'incomplete max_output_tokens',
    'tool-calls': 'completed',
    refusal: 'incomplete content_filter',
  },
  open: openResponses,
  endsWell: (raw) => /\nevent: response\.(completed|incomplete)\r?\ndata: \{.*\}\s*$/.test(raw),
  isOwnError: ({ shape }) => {
    const { message, code } = (shape ?? {}) as Record<string, unknown>
    return typeof message === 'string' && code !== undefined
  },
}

function openResponses({ url, key, model: first, stream, settings }: ConversationOptions): Conversation {
  let model = first
  const wire = tap()
  const sdk = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0, fetch: wire.fetch })
  const input: Item[] = []

  async function send(...added: Item[]): Promise<ClientResponse> {
    input.push(...added)
    const request = { model, input: [...input], store: false, ...paramsOf(settings) }
    const partial = { text: '' }
    try {
      const response = stream ? await readStream(sdk, request, partial) : await sdk.responses.create(request)
      input.push(...(response.output as Item[]))
      return { ...responseFrom(response), raw: await wire.raw() }
    } catch (error) {
      return { ...EMPTY_RESPONSE, ...partial, error: errorOf(error), raw: await wire.raw() }
    }
  }

  return {
    send: (...parts) => send({ role: 'user', content: contentOf(parts) }),
    sendToolResults: (results) => send(...results.map(outputItem)),
    turnTo: (other) => void (model = other),
  }
}

async function readStream(
  sdk: OpenAI,
  request: OpenAI.Responses.ResponseCreateParamsNonStreaming,
  partial: { text: string },
): Promise<ApiResponse> {
  const stream = sdk.responses.stream({ ...request, stream: true })
  stream.on('response.output_text.delta', ({ delta }) => {
    partial.text += delta
  })
  return await stream.finalResponse()
}

function responseFrom(response: ApiResponse): ClientResponse {
  const { output, usage, status, incomplete_details: incomplete } = response
  const messages = output.flatMap((item) => (item.type === 'message' ? item.content : []))
  return {
    ...EMPTY_RESPONSE,
    text: messages.map((part) => (part.type === 'output_text' ? part.text : part.refusal)).join(''),
    thinking: output
      .flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
      .map(({ text }) => text)
      .join(''),
    toolCalls: output.flatMap((item) =>
      item.type === 'custom_tool_call'
        ? [{ id: item.call_id, name: item.name, arguments: item.input, exact: true }]
        : item.type === 'function_call'
          ? [{ id: item.call_id, name: item.name, arguments: item.arguments, exact: true }]
          : [],
    ),
    finish: incomplete?.reason === undefined ? status : `${status} ${incomplete.reason}`,
    usage: usage && {
      input: usage.input_tokens,
      output: usage.output_tokens,
      cacheRead: usage.input_tokens_details.cached_tokens,
      reasoning: usage.output_tokens_details.reasoning_tokens,
    },
  }
}

function errorOf(error: unknown): ReceivedError {
  if (!(error instanceof APIError)) throw error
  return { status: error.status, message: error.message, shape: error.error }
}

function contentOf(parts: readonly MessagePart[]): OpenAI.Responses.ResponseInputContent[] {
  return parts.map((part): OpenAI.Responses.ResponseInputContent => {
    if ('text' in part) return { type: 'input_text', text: part.text, ...(part.marked && MARK) }
    if ('imageUrl' in part) return { type: 'input_image', image_url: part.imageUrl, detail: 'auto' }
    if ('image' in part) return { type: 'input_image', image_url: dataUrl(part.image), detail: 'auto' }
    const { name, ...media } = part.document
    return { type: 'input_file', filename: name, file_data: dataUrl(media) }
  })
}

function outputItem({ callId, text, image, ofTextTool }: ToolResult): Item {
  if (ofTextTool) return { type: 'custom_tool_call_output', call_id: callId, output: text }
  if (image === undefined) return { type: 'function_call_output', call_id: callId, output: text }
  const picture = { type: 'input_image' as const, image_url: dataUrl(image), detail: 'auto' as const }
  return { type: 'function_call_output', call_id: callId, output: [{ type: 'input_text', text }, picture] }
}

function paramsOf({ system, tools, thinking, maxTokens, schema }: ChatSettings) {
  return {
    ...(system && { instructions: system }),
    ...(tools && { tools: tools.map(toolOf) }),
    ...(thinking && {
      reasoning: { effort: 'medium' as const, summary: 'auto' as const },
      include: ['reasoning.encrypted_content' as const],
    }),
    ...(maxTokens && { max_output_tokens: maxTokens }),
    ...(schema && { text: { format: { type: 'json_schema' as const, ...schema, strict: true } } }),
  }
}

function toolOf({ name, description, parameters, takesText }: Tool): OpenAI.Responses.Tool {
  return takesText
    ? { type: 'custom', name, description }
    : { type: 'function', name, description, parameters, strict: false }
}

function dataUrl({ mediaType, data }: { mediaType: string; data: string }): string {
  return `data:${mediaType};base64,${data}`
}

const MARK = { prompt_cache_breakpoint: { mode: 'explicit' as const } }
