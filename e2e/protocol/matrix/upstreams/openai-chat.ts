import type OpenAI from 'openai'
import {
  imageOf,
  mediaOf,
  mergeTurns,
  type DecodedRequest,
  type DecodedPart,
  type DecodedTurn,
  type Upstream,
} from '../received-request.ts'

type Request = OpenAI.ChatCompletionCreateParams
type Message = OpenAI.ChatCompletionMessageParam
type ContentPart = OpenAI.ChatCompletionContentPart | OpenAI.ChatCompletionContentPartRefusal

/**
 * OpenAI's chat, on a channel that uses it for every client. Only compatible providers such as DeepSeek return
 * thinking.
 */
export const openaiChatUpstream: Upstream = {
  protocol: 'openai-chat',
  channel: { type: 1, setting: '{"openai_api":"chat"}' },
  model: 'gpt-4o',
  thinkingModel: 'deepseek-reasoner',
  reportedCounts: ['cacheRead', 'cacheWrite', 'reasoning'],
  inspect: ({ body }) => inspect(body as Request),
}

function inspect(request: Request): DecodedRequest {
  const isSystem = ({ role }: Message) => role === 'system' || role === 'developer'
  const format = request.response_format
  const parts = request.messages.flatMap(({ content }) => (Array.isArray(content) ? (content as ContentPart[]) : []))
  return {
    system: request.messages
      .filter(isSystem)
      .flatMap(({ content }) => contentParts(content))
      .map((part) => (part.kind === 'text' ? part.text : ''))
      .join('\n'),
    turns: mergeTurns(request.messages.filter((message) => !isSystem(message)).map(turnOf)),
    tools: (request.tools ?? []).flatMap((tool) =>
      tool.type === 'function' ? [{ ...tool.function, parameters: tool.function.parameters }] : [],
    ),
    maxTokens: request.max_completion_tokens ?? request.max_tokens ?? undefined,
    stop: typeof request.stop === 'string' ? [request.stop] : (request.stop ?? []),
    schema: format?.type === 'json_schema' ? format.json_schema.schema : undefined,
    thinks: request.reasoning_effort !== undefined && request.reasoning_effort !== null,
    marked: parts.flatMap((part) => (part.type === 'text' && 'prompt_cache_breakpoint' in part ? [part.text] : [])),
    streams: request.stream === true,
  }
}

function turnOf(message: Message): DecodedTurn {
  if (message.role === 'tool') {
    const texts = contentParts(message.content).map((part) => (part.kind === 'text' ? part.text : ''))
    return { role: 'user', parts: [{ kind: 'result', id: message.tool_call_id, text: texts.join(''), images: [] }] }
  }
  if (message.role !== 'assistant') return { role: 'user', parts: contentParts(message.content) }
  const thinking = (message as { reasoning_content?: string }).reasoning_content
  return {
    role: 'assistant',
    parts: [
      ...(thinking ? [{ kind: 'thinking' as const, text: thinking }] : []),
      ...contentParts(message.content),
      ...(message.tool_calls ?? []).map((request) => {
        const text = request.type === 'function' ? request.function.arguments : request.custom.input
        const { name } = request.type === 'function' ? request.function : request.custom
        return { kind: 'call' as const, id: request.id, name, arguments: text }
      }),
    ],
  }
}

function contentParts(content: Message['content'] | undefined): DecodedPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return ((content ?? []) as ContentPart[]).map((part): DecodedPart => {
    switch (part.type) {
      case 'text':
        return { kind: 'text', text: part.text }
      case 'refusal':
        return { kind: 'text', text: part.refusal }
      case 'image_url':
        return imageOf(part.image_url.url)
      case 'file':
        return { kind: 'document', document: mediaOf(part.file.file_data ?? '')! }
      case 'input_audio':
        throw new Error('no case has audio')
    }
  })
}
