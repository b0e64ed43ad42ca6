import { BUCKETS, DEFAULT_QUOTA_PER_UNIT, inputTokens, NO_TOKENS, outputTokens, type Bucket } from '@tidegate/contract'
import type { CallPrice, PriceBase, TokenPrice } from './price.ts'
import { priceByRatios } from './ratios.ts'
import { computeReceipt, quotaOf, type ReceiptLine } from './receipt.ts'
import { NO_USAGE, pieceUsage, type Usage } from './usage.ts'

/** The parts of a log row that determine its price. */
export interface LoggedRequest {
  readonly promptTokens: number
  readonly completionTokens: number
  /** As written by `logFactors`; other fields are ignored. */
  readonly other: Readonly<Record<string, unknown>>
}

/** Recomputes the quota of a logged request from its row alone. Throws a RangeError if the row is inconsistent. */
export function recomputeQuota(row: LoggedRequest): number {
  const lines = loggedLines(row)
  if (lines) return recomputeLines(row, lines)
  const perCall = readNumber(row, 'model_price') >= 0
  const at = new Date(0) // ratios do not change over time
  const [price, usage] = perCall ? [callPrice(row), callUsage(row)] : [tokenPrice(row), tokenUsage(row)]
  return computeReceipt(price, usage, at).quota
}

function recomputeLines(row: LoggedRequest, lines: readonly ReceiptLine[]): number {
  const counts = loggedCounts(lines)
  if (counts && (inputTokens(counts) !== row.promptTokens || outputTokens(counts) !== row.completionTokens)) {
    throw new RangeError('the lines of the row do not add up to its tokens')
  }
  return quotaOf(lines, readNumber(row, 'user_group_ratio', readNumber(row, 'group_ratio')))
}

/** The lines of a receipt; undefined for old rows, which have ratios only. */
export function loggedLines({ other }: Pick<LoggedRequest, 'other'>): ReceiptLine[] | undefined {
  if (!Array.isArray(other.lines)) return undefined
  return (other.lines as unknown[]).map((line) => {
    const [item, count, rate] = Array.isArray(line) ? (line as unknown[]) : []
    if (typeof item !== 'string' || typeof count !== 'number' || typeof rate !== 'number') {
      throw new RangeError('the row has an invalid line')
    }
    return { item: item as ReceiptLine['item'], count, rate }
  })
}

/** Tokens by bucket; undefined if no tokens were billed. */
export function loggedCounts(lines: readonly ReceiptLine[]): Record<Bucket, number> | undefined {
  const counts: Record<Bucket, number> = { ...NO_TOKENS }
  let hasTokens = false
  for (const { item, count } of lines) {
    if (!isBucket(item)) continue
    counts[item] += count
    hasTokens = true
  }
  return hasTokens ? counts : undefined
}

const BUCKET_NAMES = new Set<string>(BUCKETS)

function isBucket(item: string): item is Bucket {
  return BUCKET_NAMES.has(item)
}

function callPrice(row: LoggedRequest): CallPrice {
  return {
    kind: 'call',
    ...readBase(row),
    callPrice: readNumber(row, 'piece_price', readNumber(row, 'model_price')),
    image: {
      size: '',
      quality: '',
      sizeRatio: readNumber(row, 'image_size_ratio', 1),
      qualityRatio: readNumber(row, 'image_quality_ratio', 1),
      modelRatio: readNumber(row, 'image_model_ratio', 1),
    },
  }
}

function callUsage(row: LoggedRequest): Usage {
  return row.other['pieces'] === undefined
    ? { ...NO_USAGE, input: row.promptTokens, output: row.completionTokens }
    : pieceUsage(readNumber(row, 'pieces'))
}

function tokenPrice(row: LoggedRequest): TokenPrice {
  return priceByRatios(readBase(row), {
    modelRatio: readNumber(row, 'model_ratio'),
    completionRatio: readNumber(row, 'completion_ratio'),
    cacheRatio: readNumber(row, 'cache_ratio'),
    cacheWriteRatio: readNumber(row, 'cache_creation_ratio', 1),
    cacheWrite1hRatio: readNumber(row, 'cache_creation_1h_ratio', 1),
    audioRatio: readNumber(row, 'audio_ratio', 1),
    audioCompletionRatio: readNumber(row, 'audio_completion_ratio', 1),
  })
}

/** Images count as input and reasoning as output: they cost the same. */
function tokenUsage(row: LoggedRequest): Usage {
  const cacheRead = readNumber(row, 'cache_tokens')
  const writes = readNumber(row, 'cache_creation_tokens', 0)
  const cacheWrite1h = readNumber(row, 'cache_creation_1h_tokens', 0)
  const audioInput = readNumber(row, 'audio_input', 0)
  const audioOutput = readNumber(row, 'audio_output', 0)
  return {
    ...NO_USAGE,
    input: row.promptTokens - cacheRead - writes - audioInput,
    cacheRead,
    cacheWrite5m: writes - cacheWrite1h,
    cacheWrite1h,
    audioInput,
    output: row.completionTokens - audioOutput,
    audioOutput,
  }
}

function readBase(row: LoggedRequest): PriceBase {
  return {
    priceName: '',
    group: '',
    groupRatio: readNumber(row, 'user_group_ratio', readNumber(row, 'group_ratio')),
    quotaPerUnit: readNumber(row, 'quota_per_unit', DEFAULT_QUOTA_PER_UNIT),
  }
}

function readNumber({ other }: LoggedRequest, key: string, absent?: number): number {
  const value = Object.hasOwn(other, key) ? other[key] : absent
  if (typeof value !== 'number') throw new RangeError(`the row has no ${key}`)
  return value
}
