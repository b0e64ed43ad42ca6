import type { WaitingBooking } from './pending-settlement.ts'

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

export function addSold(sums: Map<string, SoldSum>, booking: WaitingBooking): void {
  const { units, group, priceName: price_name } = booking
  const day = Math.floor(booking.createdAt / DAY_MS) * DAY_MS
  const key = `${day} ${group.length} ${group}${price_name}`
  let sum = sums.get(key)
  if (!sum) sums.set(key, (sum = { day, price_name, group, ...NOTHING }))
  sum.requests += 1
  sum.quota += booking.quota
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
