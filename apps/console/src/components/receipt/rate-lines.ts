import type { Bucket } from '@tidegate/contract/api'
import { record, type Fields } from './fields.ts'

/** The billed units of a receipt line. */
export type LineItem =
  | 'input'
  | 'cacheRead'
  | 'cacheWrite5m'
  | 'cacheWrite1h'
  | 'output'
  | 'reasoning'
  | 'image'
  | 'audio'
  | 'video'
  | 'search'
  | 'fetch'
  | 'code'
  | 'images'
  | 'minutes'
  | 'seconds'
  | 'characters'
  | 'pages'
  | 'request'

/** A receipt line: a count and a rate in quota, per 1,000,000 tokens or per other unit. */
export interface RateLine {
  item: LineItem
  /** The kind of token, if the item covers several. */
  bucket?: Bucket
  isTokens: boolean
  count: number
  rate: number
  worth: number
}

const TOKENS: Readonly<Record<string, LineItem>> = {
  input: 'input',
  cacheRead: 'cacheRead',
  cacheWrite5m: 'cacheWrite5m',
  cacheWrite1h: 'cacheWrite1h',
  output: 'output',
  reasoning: 'reasoning',
  imageInput: 'image',
  imageCached: 'image',
  imageOutput: 'image',
  audioInput: 'audio',
  audioCached: 'audio',
  audioOutput: 'audio',
  videoOutput: 'video',
  citation: 'input',
}

const UNITS: Readonly<Record<string, LineItem>> = {
  webFetch: 'fetch',
  codeSession: 'code',
  codeExecution: 'code',
  image: 'images',
  imageUnit: 'images',
  imageBySizeQuality: 'images',
  pieces: 'images',
  audioMinute: 'minutes',
  sessionMinute: 'minutes',
  audioSecond: 'seconds',
  videoSecond: 'seconds',
  character: 'characters',
  page: 'pages',
  annotatedPage: 'pages',
  request: 'request',
  call: 'request',
  minimum: 'request',
}

const PER_MILLION = 1_000_000

/** The receipt lines of a log row. Null for rows of earlier versions. */
export function rateLines({ lines }: Fields): RateLine[] | null {
  if (!Array.isArray(lines)) return null
  return (lines as unknown[]).flatMap((line) => {
    const [item, count, rate] = Array.isArray(line) ? (line as unknown[]) : []
    if (typeof item !== 'string' || typeof count !== 'number' || typeof rate !== 'number') return []
    const tokens = Object.hasOwn(TOKENS, item) ? TOKENS[item] : undefined
    const unit = tokens ?? (Object.hasOwn(UNITS, item) ? UNITS[item]! : 'search')
    return [
      {
        item: unit,
        ...(tokens && tokens !== item && { bucket: item as Bucket }),
        isTokens: tokens !== undefined,
        count,
        rate,
        worth: (count * rate) / (tokens ? PER_MILLION : 1),
      },
    ]
  })
}

/** The conditions of an applied tier. */
export interface ChosenTier {
  inputAbove: number | null
  names: string[]
}

export function chosenTiers({ tiers }: Fields): ChosenTier[] {
  if (!Array.isArray(tiers)) return []
  return (tiers as unknown[]).map((tier) => {
    const { inputAbove, inclusive: _inclusive, ...named } = record(tier)
    return {
      inputAbove: typeof inputAbove === 'number' ? inputAbove : null,
      names: Object.values(named).filter((name) => typeof name === 'string'),
    }
  })
}
