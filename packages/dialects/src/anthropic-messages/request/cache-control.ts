import type { CacheBreakpoint } from '../../canonical/index.ts'
import { asList, asText, asJsonObject } from '../../json/json-object.ts'

/** Part of a request under construction. It is not shared, so cache_control may be removed. */
export type Block = Record<string, unknown>

/** The provider rejects more. */
const MAX_CACHE_BREAKPOINTS = 4

export function readCacheControl(value: unknown): CacheBreakpoint | undefined {
  const mark = asJsonObject(value)
  return mark && { ttl: asText(mark.ttl) || undefined }
}

export function writeCacheControl(mark: CacheBreakpoint | undefined): Block {
  if (!mark) return {}
  const { ttl } = mark
  return { cache_control: { type: 'ephemeral', ...((ttl === '5m' || ttl === '1h') && { ttl }) } }
}

/** Keeps the last breakpoints, which cover most of the prompt. Blocks are in the order the provider reads them. */
export function limitCacheBreakpoints(blocks: readonly Block[]): void {
  const marked = blocks.flatMap(withNestedBlocks).filter((block) => block.cache_control)
  for (const block of marked.slice(0, -MAX_CACHE_BREAKPOINTS)) delete block.cache_control
}

/** Blocks inside a tool result may have their own breakpoints. */
function withNestedBlocks(block: Block): Block[] {
  return block.type === 'tool_result' ? [...(asList(block.content) as Block[]), block] : [block]
}
