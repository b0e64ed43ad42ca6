import { stored } from '../../../lib/stored.ts'
import type { ProbeResult } from './probe-model.ts'

/** How a model of a channel did when it was last tested. */
export interface KeptResult extends Pick<ProbeResult, 'ok' | 'message' | 'seconds' | 'retryable'> {
  /** Unix milliseconds. */
  at: number
}

const KEPT_FOR_MS = 24 * 60 * 60 * 1000

/** Results of a channel that are not older than a day, by model. */
export function recallTests(channelId: number, now = Date.now()): Record<string, KeptResult> {
  return readAll(now)[channelId] ?? {}
}

/** Adds results of a channel; null forgets one. What is older than a day goes on this occasion. */
export function keepTests(channelId: number, results: Record<string, KeptResult | null>, now = Date.now()): void {
  const all = readAll(now)
  const merged = { ...all[channelId], ...results }
  const kept = Object.entries(merged).filter((entry): entry is [string, KeptResult] => entry[1] !== null)
  stored.channelTests.set({ ...all, [channelId]: Object.fromEntries(kept) })
}

function readAll(now: number): Record<string, Record<string, KeptResult>> {
  const fresh = Object.entries(stored.channelTests.get() ?? {}).map(([id, results]) => {
    const entries = Object.entries((results ?? {}) as Record<string, unknown>)
    return [id, Object.fromEntries(entries.filter(([, result]) => isKept(result) && now - result.at < KEPT_FOR_MS))]
  })
  return Object.fromEntries(fresh.filter(([, results]) => Object.keys(results as object).length > 0)) as Record<
    string,
    Record<string, KeptResult>
  >
}

function isKept(value: unknown): value is KeptResult {
  if (typeof value !== 'object' || value === null) return false
  const { ok, message, seconds, at } = value as Partial<KeptResult>
  return typeof ok === 'boolean' && typeof message === 'string' && typeof seconds === 'number' && typeof at === 'number'
}
