import type Anthropic from '@anthropic-ai/sdk'
import { mergeTurns, type DecodedRequest, type DecodedPart, type Upstream } from '../received-request.ts'

type Request = Anthropic.MessageCreateParams
type Block = Anthropic.ContentBlockParam

/** Anthropic's Messages. */
export const anthropicUpstream: Upstream = {
  protocol: 'anthropic-messages',
  channel: { type: 14 },
  model: 'claude-sonnet-4-20250514',
  reportedCounts: ['cacheRead', 'cacheWrite', 'reasoning'],
  inspect: ({ body }) => inspect(body as Request),
}

function inspect(request: Request): DecodedRequest {
  const system = blocksOf(request.system)
  const content = request.messages.flatMap((message) => blocksOf(message.content))
  return {
    system: system.map((block) => (block.type === 'text' ? block.text : '')).join('\n'),
    turns: mergeTurns(
      request.messages.map(({ role, content: message }) => ({
        role: role === 'assistant' ? 'assistant' : 'user',
        parts: blocksOf(message).map(partOf),
      })),
    ),
    tools: (request.tools ?? []).map((tool) => {
      const { name, description, input_schema: parameters } = tool as Anthropic.Tool
      return { name, description, parameters }
    }),
    maxTokens: request.max_tokens,
    stop: request.stop_sequences ?? [],
    schema: request.output_config?.format?.schema,
    thinks: request.thinking?.type === 'enabled' || request.thinking?.type === 'adaptive',
    marked: [...system, ...content].flatMap((block) =>
      block.type === 'text' && block.cache_control ? [block.text] : [],
    ),
    streams: request.stream === true,
  }
}

function blocksOf(content: string | readonly Block[] | undefined): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
}

function partOf(block: Block): DecodedPart {
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: block.text }
    case 'thinking':
      return { kind: 'thinking', text: block.thinking, signature: block.signature }
    case 'redacted_thinking':
      return { kind: 'thinking', text: '', signature: block.data }
    case 'image': {
      const { source } = block
      if (source.type === 'url') return { kind: 'image', url: source.url }
      if (source.type !== 'base64') throw new Error('no case stores an image at the provider')
      return { kind: 'image', image: { mediaType: source.media_type, data: source.data } }
    }
    case 'document': {
      const { source } = block
      if (source.type !== 'base64') throw new Error('the document came in another form')
      return { kind: 'document', document: { mediaType: source.media_type, data: source.data } }
    }
    case 'tool_use':
      return { kind: 'call', id: block.id, name: block.name, arguments: JSON.stringify(block.input) }
    case 'tool_result': {
      const parts = blocksOf(block.content as string | Block[]).map(partOf)
      const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
      const images = parts.flatMap((part) => (part.kind === 'image' && part.image ? [part.image] : []))
      return { kind: 'result', id: block.tool_use_id, text, images }
    }
    default:
      throw new Error(`no case has a block of the type ${block.type}`)
  }
}
