import { expect, it } from 'vitest'
import { addUp, averageFirstToken } from './cells.tsx'

const now = 1_700_000_000_000
const current = Math.floor(now / 1000 / 300) * 300

it('returns twelve empty buckets of five minutes without data', () => {
  const parts = addUp([], now)

  expect(parts.map(({ time }) => time)).toEqual(Array.from({ length: 12 }, (_, index) => current - (11 - index) * 300))
  expect(parts.every(({ succeeded, failed }) => succeeded + failed === 0)).toBe(true)
})

it('sums channels, with averages weighted by successful requests', () => {
  const at = { time: current - 300 }
  const parts = addUp(
    [
      [{ ...at, succeeded: 3, failed: 1, average_ms: 1000 }],
      [{ ...at, succeeded: 1, failed: 0, average_ms: 3000 }],
      [{ ...at, succeeded: 0, failed: 2, average_ms: 0 }],
    ],
    now,
  )

  expect(parts).toHaveLength(12)
  expect(parts.at(-2)).toEqual({ ...at, succeeded: 4, failed: 3, averageMs: 1500 })
})

it('returns twelve buckets if the clock of the server is one bucket ahead', () => {
  const parts = addUp([[{ time: current + 300, succeeded: 1, failed: 0, average_ms: 5 }]], now)

  expect(parts).toHaveLength(12)
  expect(parts.at(-1)).toMatchObject({ time: current + 300, succeeded: 1 })
})

it('averages first tokens by successful requests, without channels that have none', () => {
  const stats = (succeeded: number, first_token_average_ms: number | null) => ({
    last_hour: { succeeded, failed: 0, first_token_average_ms },
  })

  expect(averageFirstToken([stats(3, 1000), stats(1, 3000), stats(5, null)])).toBe(1500)
  expect(averageFirstToken([stats(5, null)])).toBeNull()
})
