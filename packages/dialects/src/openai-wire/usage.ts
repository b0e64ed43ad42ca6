import { inputTokens, NO_TOKENS, outputTokens, type UsageReport } from '@tidegate/contract'
import { atMost, feesOf, readServiceTier, addTerms } from '../canonical/usage.ts'
import { asCount, asJsonObject, asList, asText, type JsonObject } from '../json/json-object.ts'

/** Usage of a chat response, a completion or a chunk. */
export function readChatUsage(response: JsonObject, usage: JsonObject): UsageReport {
  const { num_search_queries: searches, server_side_tool_usage_details: tools } = usage
  if (response.service_tier === undefined && searches === undefined && tools === undefined) return readUsage(usage)
  return addTerms(readUsage(usage), {
    ...readServiceTier(asText(response.service_tier)),
    ...feesOf({ webSearch: asCount(usage.num_search_queries), ...countServerTools(usage) }),
  })
}

/** Usage of a Responses API response. Hosted tools are counted by output items. */
export function readResponsesUsage(response: JsonObject, usage: JsonObject): UsageReport {
  return addTerms(readUsage(usage), {
    ...readServiceTier(asText(response.service_tier)),
    ...feesOf({
      ...countHostedTools(asList(response.output)),
      ...countReportedSearches(response),
      ...countServerTools(usage),
    }),
  })
}

/** Missing in responses of older models. */
function countReportedSearches({ tool_usage }: JsonObject) {
  const reported = asJsonObject(asJsonObject(tool_usage)?.web_search)?.num_requests
  return typeof reported === 'number' ? { webSearch: asCount(reported) } : {}
}

/** Providers do not bill opening a search result or a failed search. */
function countHostedTools(items: readonly unknown[]) {
  const objects = items.map((item) => asJsonObject(item) ?? {})
  const ofType = (...types: string[]) => objects.filter(({ type }) => types.includes(asText(type)))
  const isSearch = ({ status, action }: JsonObject) =>
    status === 'completed' && ['', 'search'].includes(asText(asJsonObject(action)?.type))
  const containers = new Set(ofType('code_interpreter_call', 'shell_call').map((item) => asText(item.container_id)))
  return {
    webSearch: ofType('web_search_call').filter(isSearch).length,
    fileSearch: ofType('file_search_call').length,
    codeSession: containers.size,
  }
}

/** xAI runs tools itself and counts them in `usage`. */
function countServerTools(usage: JsonObject) {
  const tools = asJsonObject(usage.server_side_tool_usage_details)
  if (!tools) return {}
  return {
    webSearch: asCount(tools.web_search_calls),
    xSearch: asCount(tools.x_search_calls),
    codeExecution: asCount(tools.code_interpreter_calls),
    collectionsSearch: asCount(tools.file_search_calls),
  }
}

/** Splits a provider's `usage` into buckets. Each part is limited to its total, so that the buckets add up. */
export function readUsage(usage: JsonObject): UsageReport {
  if (usage.prompt_tokens === undefined && hasSeparateCacheCounts(usage)) return readSeparateCounts(usage)

  const prompt = asCount(usage.prompt_tokens ?? usage.input_tokens)
  const inputDetails = asJsonObject(usage.prompt_tokens_details ?? usage.input_tokens_details) ?? {}
  const outputDetails = asJsonObject(usage.completion_tokens_details ?? usage.output_tokens_details) ?? {}
  const cacheRead = asCount(
    // DeepSeek and others report cached tokens in these older fields.
    inputDetails.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens,
  )
  const oneHour = asCount(asJsonObject(usage.cache_creation)?.ephemeral_1h_input_tokens)
  const written = asCount(
    inputDetails.cache_creation_tokens ?? inputDetails.cached_creation_tokens ?? inputDetails.cache_write_tokens,
  )
  const reasoning = asCount(outputDetails.reasoning_tokens ?? usage.reasoning_tokens)
  const knowsCache = cacheRead > 0 || written > 0 || hasSeparateCacheCounts(usage)

  const input = splitTokens(prompt, {
    cacheRead,
    cacheWrite1h: Math.min(oneHour, written),
    cacheWrite5m: Math.max(0, written - oneHour),
    audioInput: asCount(inputDetails.audio_tokens),
    imageInput: asCount(inputDetails.image_tokens),
  })
  const output = splitTokens(completionTokens(usage, { prompt, reasoning, knowsCache }), {
    reasoning,
    audioOutput: asCount(outputDetails.audio_tokens),
    imageOutput: asCount(outputDetails.image_tokens),
  })
  return {
    ...NO_TOKENS,
    ...input.parts,
    ...output.parts,
    input: input.rest,
    output: output.rest,
    citation: asCount(usage.citation_tokens),
  }
}

/**
 * Some providers count reasoning only in `total_tokens`, not in `completion_tokens`. The excess of the total counts as
 * reasoning, up to the reported number, unless it may be cache tokens.
 */
function completionTokens(
  usage: JsonObject,
  known: { prompt: number; reasoning: number; knowsCache: boolean },
): number {
  const completion = asCount(usage.completion_tokens ?? usage.output_tokens)
  const excess = asCount(usage.total_tokens) - known.prompt - completion
  if (excess <= 0 || known.prompt === 0) return completion
  if (known.knowsCache) return excess === known.reasoning ? completion + excess : completion
  return completion + (known.reasoning > 0 ? Math.min(excess, known.reasoning) : excess)
}

/** Anthropic's format: `input_tokens` excludes tokens read from or written to a cache. */
function hasSeparateCacheCounts(usage: JsonObject): boolean {
  return usage.cache_read_input_tokens !== undefined || usage.cache_creation_input_tokens !== undefined
}

function readSeparateCounts(usage: JsonObject): UsageReport {
  const writes = asJsonObject(usage.cache_creation)
  const oneHour = asCount(writes?.ephemeral_1h_input_tokens)
  return {
    ...NO_TOKENS,
    input: asCount(usage.input_tokens),
    cacheRead: asCount(usage.cache_read_input_tokens),
    cacheWrite5m: Math.max(0, asCount(usage.cache_creation_input_tokens) - oneHour),
    cacheWrite1h: oneHour,
    output: asCount(usage.output_tokens),
  }
}

/** Splits a total into named parts in order. Each part gets at most what is left. */
function splitTokens<Name extends string>(whole: number, counts: Record<Name, number>) {
  let rest = whole
  const parts = {} as Record<Name, number>
  for (const name of Object.keys(counts) as Name[]) {
    parts[name] = Math.min(counts[name], rest)
    rest -= parts[name]
  }
  return { parts, rest }
}

/** Usage in the format of chat and completions. */
export function writeUsage(usage: UsageReport): JsonObject {
  const written = usage.cacheWrite5m + usage.cacheWrite1h
  const [prompt, completion] = [inputTokens(usage), outputTokens(usage)]
  const image = usage.imageInput + usage.imageCached
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead + usage.audioCached + usage.imageCached,
      audio_tokens: usage.audioInput + usage.audioCached,
      ...(written > 0 && { cache_write_tokens: written }),
      ...(image > 0 && { image_tokens: image }),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: usage.audioOutput,
      ...(usage.imageOutput > 0 && { image_tokens: usage.imageOutput }),
    },
  }
}

/** Usage in the format of the Responses API. */
export function writeResponsesUsage(usage: UsageReport): JsonObject {
  const [input, output] = [inputTokens(usage), outputTokens(usage)]
  const audio = usage.audioInput + usage.audioCached
  const image = usage.imageInput + usage.imageCached
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead + usage.audioCached + usage.imageCached,
      cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
      ...(audio > 0 && { audio_tokens: audio }),
      ...(image > 0 && { image_tokens: image }),
    },
    output_tokens: output,
    output_tokens_details: {
      reasoning_tokens: usage.reasoning,
      ...(usage.audioOutput > 0 && { audio_tokens: usage.audioOutput }),
      ...(usage.imageOutput > 0 && { image_tokens: usage.imageOutput }),
    },
    total_tokens: input + output,
  }
}

/** Usage of an images API response. `undefined` if the provider reports no tokens. */
export function readImageUsage(response: JsonObject): UsageReport | undefined {
  const usage = asJsonObject(response.usage)
  if (!usage) return undefined
  const inputDetails = asJsonObject(usage.input_tokens_details) ?? {}
  const outputDetails = asJsonObject(usage.output_tokens_details)
  const total = asCount(usage.input_tokens)
  const output = asCount(usage.output_tokens)
  if (total + output === 0 || !Number.isSafeInteger(total + output)) return undefined
  const imageInput = atMost(asCount(inputDetails.image_tokens), total)
  const imageOutput = outputDetails ? atMost(asCount(outputDetails.image_tokens), output) : output
  return { ...NO_TOKENS, input: total - imageInput, imageInput, imageOutput, output: output - imageOutput }
}

/** Usage of a realtime response: text, audio and images, each fresh or cached. */
export function readRealtimeUsage(usage: JsonObject): UsageReport {
  const inputDetails = asJsonObject(usage.input_token_details) ?? {}
  const cached = asJsonObject(inputDetails.cached_tokens_details)
  const outputDetails = asJsonObject(usage.output_token_details) ?? {}
  const [total, output] = [asCount(usage.input_tokens), asCount(usage.output_tokens)]
  const audio = atMost(asCount(inputDetails.audio_tokens), total)
  const image = atMost(asCount(inputDetails.image_tokens), total - audio)
  const text = total - audio - image
  const audioCached = atMost(asCount(cached?.audio_tokens), audio)
  const imageCached = atMost(asCount(cached?.image_tokens), image)
  const textCached = atMost(asCount(cached ? cached.text_tokens : inputDetails.cached_tokens), text)
  const audioOutput = atMost(asCount(outputDetails.audio_tokens), output)
  return {
    ...NO_TOKENS,
    input: text - textCached,
    cacheRead: textCached,
    audioInput: audio - audioCached,
    audioCached,
    imageInput: image - imageCached,
    imageCached,
    output: output - audioOutput,
    audioOutput,
  }
}
