import { inputTokens, NO_TOKENS, type UsageReport } from '@tidegate/contract'
import { addTerms, atMost, feesOf, readServiceTier, searchesOf } from '../../canonical/usage.ts'
import { asCount, asJsonObjects, asText, type JsonObject } from '../../json/json-object.ts'

interface BilledContent {
  /** Searches in the steps, for a usage that does not count them. */
  readonly searches: number
  readonly serviceTier: string
}

/** Splits the usage into buckets. Each part is limited to its total, so that the buckets add up. */
export function readUsage(usage: JsonObject, { searches, serviceTier }: BilledContent): UsageReport {
  const prompt = asCount(usage.total_input_tokens)
  const toolPrompt = asCount(usage.total_tool_use_tokens)
  const cached = atMost(asCount(usage.total_cached_tokens), prompt)
  const audioCached = atMost(sumModality(usage.cached_tokens_by_modality, 'audio'), cached)
  const imageCached = atMost(sumModality(usage.cached_tokens_by_modality, 'image'), cached - audioCached)
  const fresh = prompt - cached
  // Cached tokens of a modality are counted separately.
  const audioInput = atMost(Math.max(0, sumModality(usage.input_tokens_by_modality, 'audio') - audioCached), fresh)
  const imageInput = atMost(
    Math.max(0, sumModality(usage.input_tokens_by_modality, 'image') - imageCached),
    fresh - audioInput,
  )
  const output = asCount(usage.total_output_tokens)
  const audioOutput = atMost(sumModality(usage.output_tokens_by_modality, 'audio'), output)
  const imageOutput = atMost(sumModality(usage.output_tokens_by_modality, 'image'), output - audioOutput)
  const counted = asJsonObjects(usage.grounding_tool_count)
    .filter(({ type }) => type === 'google_search')
    .reduce((sum, { count }) => sum + asCount(count), 0)
  const queries = Math.max(counted, searches)
  const counts = {
    ...NO_TOKENS,
    // The model reads results of hosted tools as input.
    input: fresh - audioInput - imageInput + toolPrompt,
    cacheRead: cached - audioCached - imageCached,
    imageInput,
    imageCached,
    audioInput,
    audioCached,
    output: output - audioOutput - imageOutput,
    reasoning: asCount(usage.total_thought_tokens),
    imageOutput,
    audioOutput,
  }
  return addTerms(counts, {
    ...readServiceTier(serviceTier.toLowerCase()),
    // Gemini 3 bills each query, earlier models bill each prompt. A price list has a price for one of them.
    ...feesOf({ webSearchQuery: queries, groundedPrompt: Math.min(1, queries) }),
    // Tool results are billed, but do not count towards a price tier.
    ...(toolPrompt > 0 && { inputLength: prompt }),
  })
}

function sumModality(details: unknown, modality: string): number {
  return asJsonObjects(details)
    .filter((detail) => asText(detail.modality).toLowerCase() === modality)
    .reduce((sum, { tokens }) => sum + asCount(tokens), 0)
}

/** Usage for a client. */
export function writeUsage(usage: UsageReport): JsonObject {
  const { reasoning, audioOutput, imageOutput, output } = usage
  const prompt = inputTokens(usage)
  const cached = usage.cacheRead + usage.audioCached + usage.imageCached
  const audio = usage.audioInput + usage.audioCached
  const image = usage.imageInput + usage.imageCached
  const written = output + audioOutput + imageOutput
  const searches = searchesOf(usage)
  return {
    total_input_tokens: prompt,
    ...(audio + image > 0 && { input_tokens_by_modality: byModality({ text: prompt - audio - image, audio, image }) }),
    total_cached_tokens: cached,
    total_output_tokens: written,
    ...(audioOutput + imageOutput > 0 && {
      output_tokens_by_modality: byModality({ text: output, audio: audioOutput, image: imageOutput }),
    }),
    total_thought_tokens: reasoning,
    total_tool_use_tokens: 0,
    total_tokens: prompt + written + reasoning,
    ...(searches > 0 && { grounding_tool_count: [{ type: 'google_search', count: searches }] }),
  }
}

function byModality(counts: Readonly<Record<string, number>>): JsonObject[] {
  return Object.entries(counts).flatMap(([modality, tokens]) => (tokens > 0 ? [{ modality, tokens }] : []))
}
