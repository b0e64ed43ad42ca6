import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { recordingLog } from '../test/recording-log.ts'
import { writeBehind } from './write-behind.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('writes the rows of one interval as one batch', async () => {
  const batches: number[][] = []
  const { log } = recordingLog()
  const rows = writeBehind<number>({ name: 'numbers', log, write: async (batch) => void batches.push([...batch]) })

  rows.add(1)
  rows.add(2)
  await vi.advanceTimersByTimeAsync(1000)
  rows.add(3)
  await rows.stop()

  expect(batches).toEqual([[1, 2], [3]])
})

it('keeps rejected rows in order, drops rows beyond the maximum, and logs their number', async () => {
  const written: number[] = []
  let unavailable = true
  const { log, lines } = recordingLog()
  const rows = writeBehind<number>({
    name: 'numbers',
    log,
    max: 3,
    async write(batch) {
      if (unavailable) throw new Error('unavailable')
      written.push(...batch)
    },
  })

  for (const row of [1, 2]) rows.add(row)
  await vi.advanceTimersByTimeAsync(1000)
  for (const row of [3, 4, 5]) rows.add(row)
  unavailable = false
  await vi.advanceTimersByTimeAsync(1000)
  await rows.stop()

  expect(written).toEqual([1, 2, 3])
  expect(JSON.stringify(lines)).toContain('"dropped":2')
})
