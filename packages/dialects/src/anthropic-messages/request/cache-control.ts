import type { CacheMark } from '../../canonical/index.ts'
import { asList, asText, asJsonObject } from '../../json/json-object.ts'

/** A piece of a request being written. It is ours alone until the request is whole, so a mark may be taken off. */
export type Block = Record<string, unknown>

/** The vendor refuses a request with more of them. */
const MAX_CACHE_BREAKPOINTS = 4

export function readCacheControl(value: unknown): CacheMark | undefined {
  const mark = asJsonObject(value)
  return mark && { ttl: asText(mark.ttl) || undefined }
}

export function writeCacheControl(mark: CacheMark | undefined): Block {
  if (!mark) return {}
  const { ttl } = mark
  return { cache_control: { type: 'ephemeral', ...((ttl === '5m' || ttl === '1h') && { ttl }) } }
}

/** Keeps the last marks: they cover the most of the prompt. Blocks come in the order the vendor reads them. */
export function limitCacheBreakpoints(blocks: readonly Block[]): void {
  const marked = blocks.flatMap(withNestedBlocks).filter((block) => block.cache_control)
  for (const block of marked.slice(0, -MAX_CACHE_BREAKPOINTS)) delete block.cache_control
}

/** What a tool result holds may carry marks of its own. */
function withNestedBlocks(block: Block): Block[] {
  return block.type === 'tool_result' ? [...(asList(block.content) as Block[]), block] : [block]
}
