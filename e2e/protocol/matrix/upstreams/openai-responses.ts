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

type Request = OpenAI.Responses.ResponseCreateParams
type Item = OpenAI.Responses.ResponseInputItem
type Part = OpenAI.Responses.ResponseInputContent | OpenAI.Responses.ResponseOutputMessage['content'][number]

/** OpenAI's Responses, on a channel that uses it for every client. */
export const openaiResponsesUpstream: Upstream = {
  protocol: 'openai-responses',
  channel: { type: 1, setting: '{"openai_api":"responses"}' },
  model: 'gpt-5-mini',
  reportedCounts: ['cacheRead', 'cacheWrite', 'reasoning'],
  inspect: ({ body }) => inspect(body as Request),
}

function inspect(request: Request): DecodedRequest {
  const given: Item[] = typeof request.input === 'string' ? [{ role: 'user', content: request.input }] : request.input!
  const isSystem = (item: Item) => 'role' in item && (item.role === 'system' || item.role === 'developer')
  const systemParts = given.filter(isSystem).flatMap((item) => turnOf(item).parts)
  const format = request.text?.format
  return {
    system: [request.instructions ?? '', ...systemParts.map((part) => (part.kind === 'text' ? part.text : ''))].join(
      '\n',
    ),
    turns: mergeTurns(given.filter((item) => !isSystem(item)).map(turnOf)),
    tools: (request.tools ?? []).flatMap((tool) =>
      tool.type === 'function'
        ? [{ name: tool.name, description: tool.description ?? undefined, parameters: tool.parameters }]
        : [],
    ),
    maxTokens: request.max_output_tokens ?? undefined,
    stop: [],
    schema: format?.type === 'json_schema' ? format.schema : undefined,
    thinks: Boolean(request.reasoning?.effort),
    marked: given.flatMap(markedIn),
    streams: request.stream === true,
  }
}

function markedIn(item: Item): string[] {
  if (!('content' in item) || !Array.isArray(item.content)) return []
  const parts = item.content as Part[]
  return parts.flatMap((part) => (part.type === 'input_text' && part.prompt_cache_breakpoint ? [part.text] : []))
}

function turnOf(item: Item): DecodedTurn {
  switch (item.type) {
    case 'function_call':
      return {
        role: 'assistant',
        parts: [{ kind: 'call', id: item.call_id, name: item.name, arguments: item.arguments }],
      }
    case 'custom_tool_call':
      return {
        role: 'assistant',
        parts: [{ kind: 'call', id: item.call_id, name: item.name, arguments: item.input }],
      }
    case 'custom_tool_call_output':
    case 'function_call_output': {
      const parts = partsIn(item.output)
      const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
      const images = parts.flatMap((part) => (part.kind === 'image' && part.image ? [part.image] : []))
      return { role: 'user', parts: [{ kind: 'result', id: item.call_id ?? undefined, text, images }] }
    }
    case 'reasoning': {
      const text = item.summary.map((part) => part.text).join('')
      return { role: 'assistant', parts: [{ kind: 'thinking', text, signature: item.encrypted_content ?? undefined }] }
    }
    default:
      if (!('content' in item && 'role' in item)) throw new Error(`no case has an item of the type ${item.type}`)
      return { role: item.role === 'assistant' ? 'assistant' : 'user', parts: partsIn(item.content) }
  }
}

function partsIn(content: unknown): DecodedPart[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  return (content as Part[]).map((part): DecodedPart => {
    switch (part.type) {
      case 'input_text':
      case 'output_text':
        return { kind: 'text', text: part.text }
      case 'refusal':
        return { kind: 'text', text: part.refusal }
      case 'input_image':
        return imageOf(part.image_url ?? '')
      case 'input_file':
        return { kind: 'document', document: mediaOf(part.file_data ?? '')! }
    }
  })
}
