import type { UsageLog } from '@tidegate/contract/api'
import type { LogDetails } from './log-details.ts'

export type BucketName = 'prompt' | 'cached' | 'cacheWrite' | 'completion'

export interface Bucket {
  name: BucketName
  tokens: number
  ratio: number
}

/** The factors of one bill, in the order they are multiplied. */
export type Receipt =
  | { kind: 'per-call'; price: number; groupRatio: number }
  | { kind: 'per-token'; buckets: Bucket[]; sum: number; modelRatio: number; groupRatio: number; isMinimum: boolean }

/** The bill of a call as arithmetic, or null when the row does not hold its factors. */
export function receiptOf(log: UsageLog, details: LogDetails): Receipt | null {
  const { modelRatio, modelPrice, groupRatio, isAudio } = details
  if (groupRatio === null || isAudio) return null
  if (modelPrice !== null) return { kind: 'per-call', price: modelPrice, groupRatio }
  if (modelRatio === null) return null
  const buckets = bucketsOf(log, details)
  const sum = buckets.reduce((total, { tokens, ratio }) => total + tokens * ratio, 0)
  const isMinimum = log.quota === 1 && sum * modelRatio * groupRatio < 0.5
  return { kind: 'per-token', buckets, sum, modelRatio, groupRatio, isMinimum }
}

function bucketsOf(log: UsageLog, details: LogDetails): Bucket[] {
  const { cacheTokens, cacheRatio, cacheWriteTokens, cacheWriteRatio, completionRatio, promptExcludesCache } = details
  const prompt = promptExcludesCache ? log.prompt_tokens : Math.max(0, log.prompt_tokens - cacheTokens)
  const all: Bucket[] = [
    { name: 'prompt', tokens: prompt, ratio: 1 },
    { name: 'cached', tokens: cacheTokens, ratio: cacheRatio },
    { name: 'cacheWrite', tokens: cacheWriteTokens, ratio: cacheWriteRatio },
    { name: 'completion', tokens: log.completion_tokens, ratio: completionRatio ?? 1 },
  ]
  return all.filter(({ name, tokens }) => tokens > 0 || name === 'prompt' || name === 'completion')
}
