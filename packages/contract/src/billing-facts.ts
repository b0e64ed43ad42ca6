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

/** Units of a fee; with a key where its price depends on one, such as the resolution of a video. */
export interface FeeCount {
  readonly fee: Fee
  readonly count: number
  readonly key?: string
}

/** What a response says that its price depends on, whatever protocol it came in. */
export interface BillingFacts {
  /** Exclusive: a token is in exactly one bucket. */
  readonly usage: Readonly<Partial<Record<Bucket, number>>>
  /** Every token that the provider read, cached ones included. */
  readonly inputLength: number
  /** As the response reports it. */
  readonly serviceTier?: string
  readonly speed?: string
  readonly region?: string
  readonly fees: readonly FeeCount[]
  /** Other calls within the same response, each priced by itself: compaction, fallback. They replace `usage`. */
  readonly parts?: readonly BillingPart[]
}

export interface BillingPart {
  /** The model of the request when left out. */
  readonly model?: string
  readonly usage: BillingFacts['usage']
  readonly inputLength: number
}
