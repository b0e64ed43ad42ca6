import {
  inputTokens,
  NO_TOKENS,
  outputTokens,
  type TokenCounts,
  type UsagePart,
  type UsageReport,
} from '@tidegate/contract'
import { feesOf, addTerms, searchesOf } from '../../canonical/usage.ts'
import { asCount, asList, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'

/** Reads the usage of a whole response, or the totals of a stream. */
export function readUsage(usage: JsonObject): UsageReport {
  const tools = asJsonObject(usage.server_tool_use)
  const parts = readIterations(usage)
  return addTerms(parts ? sumParts(parts) : readCounts(usage), {
    // Priority tier is prepaid capacity at list price.
    ...(usage.service_tier === 'batch' && { serviceTier: 'batch' }),
    ...(usage.speed === 'fast' && { speed: 'fast' }),
    ...(usage.inference_geo === 'us' && { region: 'us' }),
    ...(tools &&
      feesOf({ webSearch: asCount(tools.web_search_requests), webFetch: asCount(tools.web_fetch_requests) })),
    ...(parts && { parts }),
  })
}

/** Iterations of a response. The totals include only the last one. */
function readIterations(usage: JsonObject): UsagePart[] | undefined {
  const iterations = asList(usage.iterations).map((value) => asJsonObject(value) ?? {})
  if (iterations.length === 0) return undefined
  const parts = iterations.map((iteration): UsagePart => {
    const model = asText(iteration.model)
    return { ...readCounts(iteration), ...(model !== '' && { model }) }
  })
  // A list with only compactions does not include the response itself.
  return iterations.every(({ type }) => type === 'compaction') ? [...parts, readCounts(usage)] : parts
}

function sumParts(parts: readonly UsagePart[]): TokenCounts {
  const total: Record<keyof TokenCounts, number> = { ...NO_TOKENS }
  for (const part of parts) {
    for (const bucket of Object.keys(total) as (keyof TokenCounts)[]) total[bucket] += part[bucket]
  }
  return total
}

/** Later values are running totals. A missing or null value keeps the earlier one. */
export function mergeUsage(earlier: JsonObject, later: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...earlier }
  for (const [name, value] of Object.entries(later)) if (value !== null && value !== undefined) merged[name] = value
  return merged
}

export function writeUsage(usage: UsageReport) {
  const written = usage.cacheWrite5m + usage.cacheWrite1h
  const cached = usage.cacheRead + usage.audioCached + usage.imageCached
  const searches = searchesOf(usage)
  return {
    input_tokens: inputTokens(usage) - written - cached,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWrite5m,
      ephemeral_1h_input_tokens: usage.cacheWrite1h,
    },
    output_tokens: outputTokens(usage),
    output_tokens_details: { thinking_tokens: usage.reasoning },
    ...(searches > 0 && { server_tool_use: { web_search_requests: searches } }),
  }
}

/** Fresh, cached and written tokens do not overlap in this protocol. */
function readCounts(usage: JsonObject): TokenCounts {
  const split = asJsonObject(usage.cache_creation)
  const longWrites = asCount(split?.ephemeral_1h_input_tokens)
  const writes = asCount(usage.cache_creation_input_tokens ?? longWrites + asCount(split?.ephemeral_5m_input_tokens))
  const cacheWrite1h = Math.min(longWrites, writes)
  const output = asCount(usage.output_tokens)
  const reasoning = Math.min(asCount(asJsonObject(usage.output_tokens_details)?.thinking_tokens), output)
  return {
    ...NO_TOKENS,
    input: asCount(usage.input_tokens),
    cacheRead: asCount(usage.cache_read_input_tokens),
    cacheWrite5m: writes - cacheWrite1h,
    cacheWrite1h,
    output: output - reasoning,
    reasoning,
  }
}
