import { computeReceipt, type ModelPrice, NO_USAGE, type Usage } from '@tidegate/pricing'
import {
  type Db,
  type OldCall,
  type ShadowMatch,
  shadowMatches,
  type SearchSpan,
  type UnmatchedCall,
} from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { pairNearest } from './pair-nearest.ts'

/** Gateways and proxies see the start of a request at different times. */
const MAX_DISTANCE_MS = 60_000
const BATCH = 10_000

/** Matches mirrored requests with rows of the old log. Matches are permanent. */
export async function matchRequests({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<{ matched: number; left: number }> {
  let matched = 0
  let last: UnmatchedCall | undefined
  for (;;) {
    const after = last
    const { calls, stored } = await db.transaction().execute((transaction) => matchBatch(transaction, after, now()))
    matched += stored
    last = calls.at(-1)
    if (calls.length < BATCH) break
  }
  return { matched, left: await shadowMatches.countUnmatched(db) }
}

async function matchBatch(transaction: Db, after: UnmatchedCall | undefined, now: Date) {
  await shadowMatches.lockMatching(transaction)
  const calls = await shadowMatches.listUnmatched(transaction, after, BATCH)
  const olds = Map.groupBy(await shadowMatches.findOldCalls(transaction, searchSpans(calls)), keyOf)
  const matches = [...Map.groupBy(calls, keyOf)].flatMap(([key, alike]) =>
    pairNearest(
      alike.map((call) => ({ call, at: call.created_at.getTime() })),
      (olds.get(key) ?? []).map((old) => ({ old, at: old.began_at.getTime() })),
      MAX_DISTANCE_MS,
    ).map(([{ call }, { old }]) => matchOf(call, old)),
  )
  return { calls, stored: await shadowMatches.save(transaction, matches, now) }
}

/** Time spans around the requests, merged when they overlap. */
function searchSpans(calls: readonly UnmatchedCall[]): SearchSpan[] {
  const spans: SearchSpan[] = []
  for (const { user_id, token_id, model_name, created_at } of calls) {
    const from = new Date(created_at.getTime() - MAX_DISTANCE_MS)
    const to = new Date(created_at.getTime() + MAX_DISTANCE_MS)
    const last = spans.at(-1)
    const isNear = last && keyOf(last) === keyOf({ user_id, token_id, model_name }) && from <= last.to
    if (isNear) last.to = to
    else spans.push({ user_id, token_id, model_name, from, to })
  }
  return spans
}

function keyOf({ user_id, token_id, model_name }: Pick<UnmatchedCall, 'user_id' | 'token_id' | 'model_name'>): string {
  return `${user_id}:${token_id}:${model_name}`
}

function matchOf({ id, pricing }: UnmatchedCall, old: OldCall): ShadowMatch {
  const tokens = { prompt: old.prompt_tokens, completion: old.completion_tokens }
  return {
    id,
    old_log_id: old.id,
    old_log_at: old.began_at,
    old_channel_id: old.channel_id,
    old_prompt_tokens: old.prompt_tokens,
    old_completion_tokens: old.completion_tokens,
    old_quota: old.quota,
    would_quota: estimateCost(pricing as StoredPricing | null, tokens),
  }
}

/** The price of a request when it was mirrored. */
interface StoredPricing {
  readonly price: ModelPrice
  /** For units other than tokens. */
  readonly usage?: Usage
}

/** Cost of a request with these counts; null if unknown. */
export function estimateCost(
  pricing: StoredPricing | null,
  tokens: { prompt: number; completion: number },
): number | null {
  if (!pricing) return null
  // Rows of earlier versions contain ratios that can no longer be priced.
  if (pricing.price.kind === 'token' && !('cards' in pricing.price)) return null
  const usage = pricing.usage ?? { ...NO_USAGE, input: tokens.prompt, output: tokens.completion }
  try {
    return computeReceipt(pricing.price, usage).quota
  } catch (error) {
    if (error instanceof RangeError) return null // invalid counts in the old log
    throw error
  }
}
