import { BUCKETS, inputTokens, NO_TOKENS, outputTokens, type Usage } from '@tidegate/contract'

export type { Usage }

export const NO_USAGE: Usage = { ...NO_TOKENS, estimated: false }

/** The usage of a request that produced images or started tasks. */
export function pieceUsage(pieces: number): Usage {
  return { ...NO_USAGE, pieces }
}

/** Prompt tokens as the log shows them: all input. */
export function promptTokens(usage: Usage): number {
  return inputTokens(usage) + (usage.pieces ?? 0)
}

/** Completion tokens as the log shows them: all output. */
export function completionTokens(usage: Usage): number {
  return outputTokens(usage)
}

/** Adds two reports bucket by bucket; the sum is an estimate if either is. */
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

/** Rejects counts that are negative, not integers, or too large to add without losing digits. */
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

/** Tokens for seconds of transcribed audio: 1,000 per minute, with started seconds in full, rounded half up. */
export function transcriptionTokens(seconds: number): number {
  return Math.floor((Math.ceil(seconds) * 1000 + 30) / 60)
}

/** Tokens for seconds of audio input of a realtime session: 0.06 USD per minute at 100 USD per million tokens. */
export function audioInputTokens(seconds: number): number {
  return Math.round((seconds * 100) / 3.6)
}

/** Tokens for seconds of audio output of a realtime session: 0.24 USD per minute at 200 USD per million tokens. */
export function audioOutputTokens(seconds: number): number {
  return Math.round((seconds * 200) / 14.4)
}
