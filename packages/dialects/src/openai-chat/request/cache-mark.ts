import type { CacheMark, Part } from '../../canonical/index.ts'
import { asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'

/**
 * OpenAI's own breakpoints, and the mark that clients of routers have written for years. Read for vendors that know
 * marks; vendors of this dialect are not sent any, for most of them refuse fields they do not know.
 */
export function cacheMarkOf(tree: JsonObject): { readonly cache?: CacheMark } {
  const control = asJsonObject(tree.cache_control)
  if (control) return { cache: control.ttl === undefined ? {} : { ttl: asText(control.ttl) } }
  return asJsonObject(tree.prompt_cache_breakpoint) ? { cache: {} } : {}
}

/** A mark on a whole message stands after the last thing in it that can carry one. */
export function markLast(parts: Part[], message: JsonObject): void {
  const { cache } = cacheMarkOf(message)
  if (!cache) return
  const place = parts.findLastIndex(({ type }) => type !== 'thinking' && type !== 'refusal' && type !== 'audio')
  if (place !== -1) parts[place] = { ...parts[place]!, cache } as Part
}
