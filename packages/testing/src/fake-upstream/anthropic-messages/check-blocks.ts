import type { Block, Source } from './request.ts'
import { demand, wordSet } from '../checks.ts'

/** Refuses a block Anthropic does not know, or knows only from the other side. */
export function checkBlock(block: Block, role: string, path: string): void {
  const { type = '' } = block
  const allowed = role === 'user' ? OF_USER : OF_ASSISTANT
  demand(allowed.has(type), `${path}: Input tag '${type}' found using 'type' is not one for ${role}`)
  for (const member of Object.keys(block)) {
    demand(MEMBERS[type]?.includes(member) ?? true, `${path}.${type}.${member}: Extra inputs are not permitted`)
  }
  switch (type) {
    case 'text':
      return demand(block.text, `${path}: text content blocks must be non-empty`)
    case 'image':
      return checkImage(block.source, `${path}.source`)
    case 'document':
      return checkDocument(block.source, `${path}.source`)
    case 'tool_use':
      demand(ID.test(block.id ?? ''), `${path}.tool_use.id: String should match pattern '${ID.source}'`)
      return demand(isObject(block.input), `${path}.tool_use.input: Input should be a valid dictionary`)
    case 'tool_result':
      demand(ID.test(block.tool_use_id ?? ''), `${path}.tool_use_id: String should match pattern '${ID.source}'`)
      if (Array.isArray(block.content)) checkResult(block.content, path)
  }
}

function checkResult(blocks: readonly Block[], path: string): void {
  blocks.forEach((block, index) => {
    demand(IN_RESULT.has(block.type ?? ''), `${path}.content.${index}: '${block.type}' is no part of a result`)
    checkBlock(block, 'user', `${path}.content.${index}`)
  })
}

function checkImage(source: Source | undefined, path: string): void {
  if (source?.type === 'url') return demand(/^https?:\/\//.test(source.url ?? ''), `${path}.url: not an address`)
  if (source?.type === 'file') return demand(source.file_id, `${path}.file_id: Field required`)
  demand(source?.type === 'base64', `${path}.type: '${source?.type}' is no source of an image`)
  demand(IMAGES.has(source.media_type ?? ''), `${path}.media_type: '${source.media_type}' is not supported`)
  demand(BASE64.test(source.data ?? ''), `${path}.data: not valid base64`)
}

function checkDocument(source: Source | undefined, path: string): void {
  switch (source?.type) {
    case 'base64':
      demand(source.media_type === 'application/pdf', `${path}.media_type: must be application/pdf`)
      return demand(BASE64.test(source.data ?? ''), `${path}.data: not valid base64`)
    case 'text':
      return demand(source.media_type === 'text/plain' && source.data, `${path}: plain text is missing`)
    case 'url':
      return demand(/^https?:\/\//.test(source.url ?? ''), `${path}.url: not an address`)
    case 'content':
    case 'file':
      return
    default:
      demand(false, `${path}.type: '${source?.type}' is no source of a document`)
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const ID = /^[a-zA-Z0-9_-]+$/
const BASE64 = /^[A-Za-z0-9+/]+=*$/
const IMAGES = wordSet('image/jpeg image/png image/gif image/webp')
const IN_RESULT = wordSet('text image document search_result tool_reference')
const OF_USER = wordSet('text image document tool_result search_result container_upload')
const OF_ASSISTANT = wordSet(`
  text thinking redacted_thinking tool_use server_tool_use web_search_tool_result web_fetch_tool_result
  code_execution_tool_result mcp_tool_use mcp_tool_result
`)
const MEMBERS: Record<string, readonly string[]> = {
  text: ['type', 'text', 'cache_control', 'citations'],
  image: ['type', 'source', 'cache_control'],
  document: ['type', 'source', 'cache_control', 'citations', 'context', 'title'],
  tool_use: ['type', 'id', 'name', 'input', 'cache_control', 'caller'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
}
