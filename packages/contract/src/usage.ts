/** Kinds of tokens that providers price separately. */
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

/** Fees that replace the price per token of a model. Other fees are added to it. */
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

/** Values that the conditions of a tier can have. */
export const CONDITION_VALUES = {
  serviceTier: ['priority', 'ultrafast', 'flex', 'batch'],
  speed: ['fast'],
  region: ['us', 'eu'],
} as const

/** The largest rate, multiplier or fee. */
export const MAX_AMOUNT = 100_000

/** Units of a fee; with a key if the price depends on it, such as the resolution of a video. */
export interface FeeCount {
  readonly fee: Fee
  readonly count: number
  readonly key?: string
}

/** Tokens by bucket: whole numbers, and a token is in exactly one. */
export type TokenCounts = Readonly<Record<Bucket, number>>

export const NO_TOKENS = Object.fromEntries(BUCKETS.map((bucket) => [bucket, 0])) as TokenCounts

/** Properties of a response that affect its price. Standard values are left out. */
export interface ServiceTerms {
  /** As reported by the response. */
  readonly serviceTier?: string
  readonly speed?: string
  readonly region?: string
  readonly fees?: readonly FeeCount[]
  /** Input length for tiers, if it differs from the number of input tokens. */
  readonly inputLength?: number
  /** Parts of the response (compaction, fallback) that are priced separately. Their tokens add up to the total. */
  readonly parts?: readonly UsagePart[]
}

export interface UsagePart extends TokenCounts {
  /** The model of the request by default. */
  readonly model?: string
  readonly fees?: readonly FeeCount[]
}

/** Usage of a response in a protocol-neutral form. */
export interface UsageReport extends TokenCounts {
  readonly terms?: ServiceTerms
}

/** What a request used, and is billed for. */
export interface Usage extends UsageReport {
  /** Units sold by the piece: images, image and music tasks. The log shows them as prompt tokens. */
  readonly pieces?: number
  /** The provider reported no usage, so the counts are estimated. */
  readonly estimated: boolean
}

/** All input tokens, including cached ones. */
export function inputTokens(counts: TokenCounts): number {
  const { input, cacheRead, cacheWrite5m, cacheWrite1h, imageInput, imageCached, audioInput, audioCached, citation } =
    counts
  return (
    input + cacheRead + cacheWrite5m + cacheWrite1h + imageInput + imageCached + audioInput + audioCached + citation
  )
}

/** All output tokens, including reasoning. */
export function outputTokens({ output, reasoning, imageOutput, audioOutput, videoOutput }: TokenCounts): number {
  return output + reasoning + imageOutput + audioOutput + videoOutput
}
