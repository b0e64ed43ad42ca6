import type { Interactions } from '@google/genai'
import type { ReceivedRequest } from '@tidegate/testing'
import {
  mergeTurns,
  type DecodedPart,
  type DecodedRequest,
  type DecodedTurn,
  type Upstream,
} from '../received-request.ts'

interface Request {
  input: Interactions.Step[]
  system_instruction?: string
  tools?: { type: string; name?: string; description?: string; parameters?: unknown }[]
  generation_config?: { max_output_tokens?: number; stop_sequences?: string[]; thinking_level?: string }
  response_format?: { schema?: unknown }
  stream?: boolean
}

/** Google's Interactions API. Only clients of the same protocol reach it. */
export const geminiInteractionsUpstream: Upstream = {
  protocol: 'gemini-interactions',
  channel: { type: 24 },
  model: 'gemini-3-flash-preview',
  reportedCounts: ['cacheRead', 'reasoning'],
  inspect,
}

function inspect({ body }: ReceivedRequest): DecodedRequest {
  const request = body as Request
  const { generation_config: config = {} } = request
  return {
    system: request.system_instruction ?? '',
    turns: mergeTurns(request.input.map(turnOf)),
    tools: (request.tools ?? []).map(({ name = '', description, parameters }) => ({ name, description, parameters })),
    maxTokens: config.max_output_tokens,
    stop: config.stop_sequences ?? [],
    schema: request.response_format?.schema,
    thinks: config.thinking_level !== undefined,
    marked: [],
    streams: request.stream === true,
  }
}

function turnOf(step: Interactions.Step): DecodedTurn {
  switch (step.type) {
    case 'user_input':
      return { role: 'user', parts: (step.content ?? []).map(partOf) }
    case 'model_output':
      return { role: 'assistant', parts: (step.content ?? []).map(partOf) }
    case 'thought': {
      const text = (step.summary ?? []).map((content) => (content.type === 'text' ? content.text : '')).join('')
      return { role: 'assistant', parts: [{ kind: 'thinking', text, signature: step.signature }] }
    }
    case 'function_call': {
      const { id, name } = step
      return { role: 'assistant', parts: [{ kind: 'call', id, name, arguments: JSON.stringify(step.arguments) }] }
    }
    case 'function_result': {
      const contents = Array.isArray(step.result) ? step.result : [{ type: 'text' as const, text: textOf(step.result) }]
      const parts = contents.map(partOf)
      const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
      const images = parts.flatMap((part) => (part.kind === 'image' && part.image ? [part.image] : []))
      return { role: 'user', parts: [{ kind: 'result', id: step.call_id, text, images }] }
    }
    default:
      throw new Error(`a step of type ${step.type}`)
  }
}

function textOf(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result)
}

function partOf(content: Interactions.Content): DecodedPart {
  if (content.type === 'text') return { kind: 'text', text: content.text }
  const media = { mediaType: content.mime_type ?? '', data: content.data ?? '' }
  if (content.type !== 'image') return { kind: 'document', document: media }
  return content.uri === undefined ? { kind: 'image', image: media } : { kind: 'image', url: content.uri }
}
