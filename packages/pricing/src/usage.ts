import { BUCKETS, inputTokens, NO_TOKENS, outputTokens, type UsageReport } from '@tidegate/contract'

/** What a request used. */
export interface Usage extends UsageReport {
  /** Things sold by the piece: images, drawing and music tasks. The log shows them as prompt tokens. */
  readonly pieces?: number
  /** The provider reported no counts, so these are ours. */
  readonly estimated: boolean
}

export const NO_USAGE: Usage = { ...NO_TOKENS, estimated: false }

/** What a request used that produced so many images, or started so many tasks. */
export function pieceUsage(pieces: number): Usage {
  return { ...NO_USAGE, pieces }
}

/** Prompt tokens as the log shows them: everything that was read. */
export function promptTokens(usage: Usage): number {
  return inputTokens(usage) + (usage.pieces ?? 0)
}

/** Completion tokens as the log shows them: everything that was written. */
export function completionTokens(usage: Usage): number {
  return outputTokens(usage)
}

/** Both reports together, bucket by bucket; an estimate in either makes the sum one. */
export function addUsage(one: Usage, other: Usage): Usage {
  const sum: Record<(typeof BUCKETS)[number], number> = { ...NO_TOKENS }
  for (const bucket of BUCKETS) sum[bucket] = one[bucket] + other[bucket]
  const fees = [...(one.terms?.fees ?? []), ...(other.terms?.fees ?? [])]
  return {
    ...sum,
    ...((one.terms ?? other.terms) && { terms: { ...one.terms, ...other.terms, ...(fees.length > 0 && { fees }) } }),
    ...((one.pieces ?? other.pieces) !== undefined && { pieces: (one.pieces ?? 0) + (other.pieces ?? 0) }),
    estimated: one.estimated || other.estimated,
  }
}

/** Rejects counts that are not whole, negative, or too large to add up without losing digits. */
export function assertCountable(usage: Usage): void {
  for (const bucket of BUCKETS) assertCount(bucket, usage[bucket])
  assertCount('pieces', usage.pieces ?? 0)
  if (!Number.isSafeInteger(promptTokens(usage)) || !Number.isSafeInteger(completionTokens(usage))) {
    throw new RangeError('the usage is too large to bill')
  }
}

function assertCount(name: string, count: number): void {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`not a count: ${name} ${count}`)
}

/** Seconds of sound as the tokens they are billed as. All round half up. */

/** A transcription: a thousand for every minute, begun seconds counting in full. */
export function transcriptionTokens(seconds: number): number {
  return Math.floor((Math.ceil(seconds) * 1000 + 30) / 60)
}

/** What a realtime session hears: 0.06 USD a minute at 100 USD for a million tokens. */
export function heardTokens(seconds: number): number {
  return Math.round((seconds * 100) / 3.6)
}

/** What a realtime session says: 0.24 USD a minute at 200 USD for a million tokens. */
export function spokenTokens(seconds: number): number {
  return Math.round((seconds * 200) / 14.4)
}
