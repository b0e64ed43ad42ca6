import { soldUnits } from '@tidegate/pricing'
import type { Booking } from './booking.ts'

/** What was sold under a price and a group in a day, in units that other prices can be put to. */
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

export function addSold(sums: Map<string, SoldSum>, { quota, promptTokens, completionTokens, log }: Booking): void {
  const units = soldUnits({ promptTokens, completionTokens, other: log.other })
  const day = Math.floor(log.createdAt / DAY_MS) * DAY_MS
  const named = log.other['price_name']
  const price_name = typeof named === 'string' ? named : log.modelName
  const key = JSON.stringify([day, price_name, log.group])
  const sum = sums.get(key) ?? { day, price_name, group: log.group, ...NOTHING }
  sums.set(key, {
    ...sum,
    requests: sum.requests + 1,
    quota: sum.quota + quota,
    calls: sum.calls + units.calls,
    pieces: sum.pieces + units.pieces,
    input: sum.input + units.input,
    cache_read: sum.cache_read + units.cacheRead,
    cache_write: sum.cache_write + units.cacheWrite5m,
    cache_write_1h: sum.cache_write_1h + units.cacheWrite1h,
    audio_in: sum.audio_in + units.audioIn,
    output: sum.output + units.output,
    audio_out: sum.audio_out + units.audioOut,
  })
}

const NOTHING = {
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
