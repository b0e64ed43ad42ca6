import type { CacheBreakpoint, Message, Part } from '../canonical/index.ts'
import { asJsonObject, type JsonObject } from '../json/json-object.ts'

/** Entries live for 30 minutes. The longer life of a breakpoint would cost more than the client expects. */
export function writeBreakpoint(cache: CacheBreakpoint | undefined): JsonObject {
  return cache ? { prompt_cache_breakpoint: { mode: 'explicit' } } : {}
}

export function readBreakpoint(part: JsonObject): { readonly cache?: CacheBreakpoint } {
  return asJsonObject(part.prompt_cache_breakpoint) ? { cache: {} } : {}
}

/** The life of all entries is an option of the request. Other protocols know an hour as the longest one. */
export function withCacheLife(messages: readonly Message[], { prompt_cache_options }: JsonObject): readonly Message[] {
  if (asJsonObject(prompt_cache_options)?.ttl !== '12h') return messages
  const extend = (part: Part): Part => ('cache' in part && part.cache ? { ...part, cache: { ttl: '1h' } } : part)
  return messages.map((message) => ({ ...message, parts: message.parts.map(extend) }))
}
