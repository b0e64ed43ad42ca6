import { readSoldUnits } from '@tidegate/pricing'
import type { SettlementRecord } from './settlement.ts'

/** The sums of a batch: one row per account, user, token, channel and hour. */
export interface BatchSums {
  accounts: AccountSum[]
  users: { id: number; quota: number; requests: number }[]
  tokens: { id: number; quota: number; drawn: number; accessed: number }[]
  channels: { id: number; quota: number }[]
  rollups: RollupSum[]
  sold: SoldSum[]
}

/** What a batch takes from one account; token 0 is the user's own. */
export interface AccountSum {
  user_id: number
  token_id: number
  quota: number
}

/** At the finest granularity of all roll-ups. */
export interface RollupSum {
  user_id: number
  model_name: string
  token_name: string
  group: string
  channel_id: number
  /** Unix milliseconds of the start of the hour. */
  hour: number
  requests: number
  quota: number
  prompt_tokens: number
  completion_tokens: number
  /** The part with rows in the usage log. */
  logged_requests: number
  logged_quota: number
}

const HOUR_MS = 3_600_000

/** Adds up a batch, one settlement after the other, so that none has to stay in memory. */
export function createBatchSummary() {
  const accounts = new Map<string, AccountSum>()
  const users = new Map<number, BatchSums['users'][number]>()
  const tokens = new Map<number, BatchSums['tokens'][number]>()
  const channels = new Map<number, BatchSums['channels'][number]>()
  const rollups = new Map<string, RollupSum>()
  const sold = new Map<string, SoldSum>()

  function takeFrom(userId: number, tokenId: number, quota: number): void {
    entry(accounts, `${userId}:${tokenId}`, { user_id: userId, token_id: tokenId, quota: 0 }).quota += quota
  }

  function add(settlement: SettlementRecord): void {
    const { userId, tokenId, tokenLimited, quota, promptTokens, completionTokens, log } = settlement
    const { createdAt } = log
    addSoldUnits(sold, settlement)
    takeFrom(userId, 0, quota)
    if (tokenLimited) takeFrom(userId, tokenId, quota)

    const user = entry(users, userId, { id: userId, quota: 0, requests: 0 })
    user.quota += quota
    user.requests += promptTokens + completionTokens > 0 ? 1 : 0

    if (tokenId !== 0) {
      const token = entry(tokens, tokenId, { id: tokenId, quota: 0, drawn: 0, accessed: 0 })
      token.quota += quota
      token.drawn += tokenLimited ? quota : 0
      token.accessed = Math.max(token.accessed, createdAt)
    }
    const { modelName: model_name, tokenName: token_name, group, channelId: channel_id } = log
    if (quota > 0) entry(channels, channel_id, { id: channel_id, quota: 0 }).quota += quota

    const hour = Math.floor(createdAt / HOUR_MS) * HOUR_MS
    const texts = `${group.length} ${model_name.length} ${group}${model_name}${token_name}` // lengths make the key unambiguous
    const key = `${userId} ${hour} ${channel_id} ${texts}`
    let rollup = rollups.get(key)
    if (!rollup) {
      const empty = {
        requests: 0,
        quota: 0,
        prompt_tokens: 0,
        completion_tokens: 0,
        logged_requests: 0,
        logged_quota: 0,
      }
      rollups.set(key, (rollup = { user_id: userId, model_name, token_name, group, channel_id, hour, ...empty }))
    }
    rollup.requests += 1
    rollup.quota += quota
    rollup.prompt_tokens += promptTokens
    rollup.completion_tokens += completionTokens
    if (settlement.keepLog) {
      rollup.logged_requests += 1
      rollup.logged_quota += quota
    }
  }

  /** Rows are sorted, so that batches over the same rows do not deadlock. */
  const sums = (): BatchSums => ({
    accounts: [...accounts.values()].toSorted((a, b) => a.user_id - b.user_id || a.token_id - b.token_id),
    users: [...users.values()].toSorted(byId),
    tokens: [...tokens.values()].toSorted(byId),
    channels: [...channels.values()].toSorted(byId),
    rollups: [...rollups.values()],
    sold: [...sold.values()],
  })
  return { add, sums }
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, initial: Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  map.set(key, initial)
  return initial
}

function byId(a: { id: number }, b: { id: number }): number {
  return a.id - b.id
}

/** Units sold by price and group in a day, which other prices can be applied to. */
export interface SoldSum {
  /** Unix milliseconds of the start of the UTC day. */
  day: number
  price_name: string
  group: string
  requests: number
  quota: number
  calls: number
  pieces: number
  input: number
  cache_read: number
  cache_write: number
  cache_write_1h: number
  audio_in: number
  output: number
  audio_out: number
}

const DAY_MS = 86_400_000

function addSoldUnits(sums: Map<string, SoldSum>, settlement: SettlementRecord): void {
  const { promptTokens, completionTokens, log } = settlement
  const { group, other } = log
  const price_name = typeof other.price_name === 'string' ? other.price_name : log.modelName
  const units = readSoldUnits({ promptTokens, completionTokens, other })
  const day = Math.floor(log.createdAt / DAY_MS) * DAY_MS
  const key = `${day} ${group.length} ${group}${price_name}`
  let sum = sums.get(key)
  if (!sum) sums.set(key, (sum = { day, price_name, group, ...ZERO_UNITS }))
  sum.requests += 1
  sum.quota += settlement.quota
  sum.calls += units.calls
  sum.pieces += units.pieces
  sum.input += units.input
  sum.cache_read += units.cacheRead
  sum.cache_write += units.cacheWrite5m
  sum.cache_write_1h += units.cacheWrite1h
  sum.audio_in += units.audioInput
  sum.output += units.output
  sum.audio_out += units.audioOutput
}

const ZERO_UNITS = {
  requests: 0,
  quota: 0,
  calls: 0,
  pieces: 0,
  input: 0,
  cache_read: 0,
  cache_write: 0,
  cache_write_1h: 0,
  audio_in: 0,
  output: 0,
  audio_out: 0,
}
