/** A kind of token that providers price by itself. */
export const BUCKETS = [
  'input',
  'cacheRead',
  /** The short cache entry: 5 minutes at Anthropic, 30 minutes at OpenAI. */
  'cacheWrite5m',
  /** The long cache entry: 1 hour at Anthropic, 12 hours at OpenAI. */
  'cacheWrite1h',
  'output',
  'reasoning',
  'imageInput',
  'imageCached',
  'imageOutput',
  'audioInput',
  'audioCached',
  'audioOutput',
  'videoOutput',
  'citation',
] as const
export type Bucket = (typeof BUCKETS)[number]

/** What providers charge per unit beside tokens. */
export const FEES = [
  'webSearch',
  'webSearchPreview',
  'webSearchByContext',
  'webSearchQuery',
  'groundedPrompt',
  'webFetch',
  'fileSearch',
  'codeSession',
  'codeExecution',
  'xSearch',
  'collectionsSearch',
  'attachmentSearch',
  'image',
  'imageUnit',
  'imageBySizeQuality',
  'audioSecond',
  'audioMinute',
  'sessionMinute',
  'videoSecond',
  'character',
  'page',
  'annotatedPage',
  'search',
  'request',
] as const
export type Fee = (typeof FEES)[number]

/** Units that a whole model is sold by in place of tokens. The other fees come on top of tokens. */
export const UNIT_FEES: ReadonlySet<Fee | 'webSearchInputBlock'> = new Set<Fee | 'webSearchInputBlock'>([
  'image',
  'imageUnit',
  'imageBySizeQuality',
  'audioSecond',
  'audioMinute',
  'sessionMinute',
  'videoSecond',
  'character',
  'page',
  'annotatedPage',
  'search',
  'request',
])

/** Units of a fee; with a key where its price depends on one, such as the resolution of a video. */
export interface FeeCount {
  readonly fee: Fee
  readonly count: number
  readonly key?: string
}

/** Tokens by bucket: whole numbers, and a token is in exactly one. */
export type TokenCounts = Readonly<Record<Bucket, number>>

export const NO_TOKENS = Object.fromEntries(BUCKETS.map((bucket) => [bucket, 0])) as TokenCounts

/** How a response was served, as far as its price depends on it. Standard terms are left out. */
export interface ServedTerms {
  /** As the response reports it. */
  readonly serviceTier?: string
  readonly speed?: string
  readonly region?: string
  readonly fees?: readonly FeeCount[]
  /** Tokens that decide about a tier by input length, where those are not all input tokens. */
  readonly inputLength?: number
  /** The calls within the response (compaction, fallback), each priced by itself. Their tokens add up to the counts. */
  readonly parts?: readonly UsagePart[]
}

export interface UsagePart extends TokenCounts {
  /** The model of the request when left out. */
  readonly model?: string
  readonly fees?: readonly FeeCount[]
}

/** What a response says that its price depends on, whatever protocol it came in. */
export interface UsageReport extends TokenCounts {
  readonly terms?: ServedTerms
}

/** Every token that the provider read, cached ones included. */
export function inputTokens(counts: TokenCounts): number {
  const { input, cacheRead, cacheWrite5m, cacheWrite1h, imageInput, imageCached, audioInput, audioCached, citation } =
    counts
  return (
    input + cacheRead + cacheWrite5m + cacheWrite1h + imageInput + imageCached + audioInput + audioCached + citation
  )
}

/** Every token that the model produced, reasoning included. */
export function outputTokens({ output, reasoning, imageOutput, audioOutput, videoOutput }: TokenCounts): number {
  return output + reasoning + imageOutput + audioOutput + videoOutput
}
