import { inputTokens, NO_TOKENS, type UsageReport } from '@tidegate/contract'
import { atMost, feesOf, readServiceTier, addTerms } from '../../canonical/usage.ts'
import { asCount, asList, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'

/** Tokens that Google counts for a generated image if it reports none. */
const TOKENS_PER_IMAGE = 258

/** Billed content of a response that its usage does not include. */
export interface BilledContent {
  readonly images: number
  readonly searches: ReadonlySet<string>
}

const NO_BILLED_CONTENT: BilledContent = { images: 0, searches: new Set() }

/** Splits `usageMetadata` into buckets. Each part is limited to its total, so that the buckets add up. */
export function readUsage(usage: JsonObject, { images, searches }: BilledContent = NO_BILLED_CONTENT): UsageReport {
  const prompt = asCount(usage.promptTokenCount)
  const toolPrompt = asCount(usage.toolUsePromptTokenCount)
  const cached = atMost(asCount(usage.cachedContentTokenCount), prompt)
  const audioCached = atMost(sumModality(usage.cacheTokensDetails, AUDIO), cached)
  const imageCached = atMost(sumModality(usage.cacheTokensDetails, IMAGE), cached - audioCached)
  const fresh = prompt - cached
  // Cached tokens of a modality are counted separately.
  const audioInput = atMost(Math.max(0, sumModality(usage.promptTokensDetails, AUDIO) - audioCached), fresh)
  const imageInput = atMost(
    Math.max(0, sumModality(usage.promptTokensDetails, IMAGE) - imageCached),
    fresh - audioInput,
  )
  const candidates = asCount(usage.candidatesTokenCount) || images * TOKENS_PER_IMAGE
  const audioOutput = atMost(sumModality(usage.candidatesTokensDetails, AUDIO), candidates)
  const imageOutput = atMost(sumModality(usage.candidatesTokensDetails, IMAGE), candidates - audioOutput)
  const counts = {
    ...NO_TOKENS,
    // The model reads results of hosted tools as input.
    input: fresh - audioInput - imageInput + toolPrompt,
    cacheRead: cached - audioCached - imageCached,
    imageInput,
    imageCached,
    audioInput,
    audioCached,
    output: candidates - audioOutput - imageOutput,
    reasoning: asCount(usage.thoughtsTokenCount),
    imageOutput,
    audioOutput,
  }
  return addTerms(counts, {
    ...readServiceTier(TRAFFIC_TIERS[asText(usage.trafficType)] ?? asText(usage.serviceTier).toLowerCase()),
    // Gemini 3 bills each query, earlier models bill each prompt. A price list has a price for one of them.
    ...feesOf({ webSearchQuery: searches.size, groundedPrompt: Math.min(1, searches.size) }),
    // Tool results are billed, but do not count towards a price tier.
    ...(toolPrompt > 0 && { inputLength: prompt }),
  })
}

/** Usage of a whole response. */
export function readGeminiUsage(response: JsonObject): UsageReport {
  const searches = new Set(
    asList(response.candidates).flatMap((candidate) => readSearchQueries(asJsonObject(candidate) ?? {})),
  )
  return readUsage(asJsonObject(response.usageMetadata) ?? {}, { images: 0, searches })
}

/** Service tier names of Vertex. */
const TRAFFIC_TIERS: Readonly<Record<string, string>> = { ON_DEMAND_PRIORITY: 'priority', ON_DEMAND_FLEX: 'flex' }

/** Search queries of a candidate. */
export function readSearchQueries(candidate: JsonObject): string[] {
  const queries = asList(asJsonObject(candidate.groundingMetadata)?.webSearchQueries).map(asText)
  return queries.filter((query) => query !== '')
}

const AUDIO = 'AUDIO'
const IMAGE = 'IMAGE'

function sumModality(details: unknown, modality: string): number {
  let sum = 0
  for (const detail of asList(details)) {
    const { modality: of, tokenCount } = asJsonObject(detail) ?? {}
    if (asText(of) === modality) sum += asCount(tokenCount)
  }
  return sum
}

/** Usage in Google's format. */
export function writeUsage(usage: UsageReport): JsonObject {
  const { reasoning, audioOutput, imageOutput, output } = usage
  const prompt = inputTokens(usage)
  const cached = usage.cacheRead + usage.audioCached + usage.imageCached
  const audio = usage.audioInput + usage.audioCached
  const image = usage.imageInput + usage.imageCached
  const candidates = output + audioOutput + imageOutput
  return {
    promptTokenCount: prompt,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    candidatesTokenCount: candidates,
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
    totalTokenCount: prompt + candidates + reasoning,
    // Details list each modality.
    ...(audio + image > 0 && {
      promptTokensDetails: writeDetails({ TEXT: prompt - audio - image, AUDIO: audio, IMAGE: image }),
    }),
    ...(audioOutput + imageOutput > 0 && {
      candidatesTokensDetails: writeDetails({ TEXT: output, AUDIO: audioOutput, IMAGE: imageOutput }),
    }),
  }
}

function writeDetails(counts: Readonly<Record<string, number>>): JsonObject[] {
  return Object.entries(counts).flatMap(([modality, tokenCount]) => (tokenCount > 0 ? [{ modality, tokenCount }] : []))
}
