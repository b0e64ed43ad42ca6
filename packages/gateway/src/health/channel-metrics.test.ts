import { expect, it } from 'vitest'
import { createChannelMetrics } from './channel-metrics.ts'
import { testClock } from '../../test/support/clock.ts'

it('sums up the results of each channel by minute, and returns them once', () => {
  const clock = testClock(600_000)
  const tally = createChannelMetrics(clock)

  tally.add(1, { outcome: 'served', milliseconds: 200, firstTokenMs: 150 })
  tally.add(1, { outcome: 'served', milliseconds: 400 })
  tally.add(1, { outcome: 'server', milliseconds: 9_000 })
  tally.add(1, { outcome: 'client', milliseconds: 10 })
  tally.add(2, { outcome: 'client', milliseconds: 10 })
  clock.pass(61_000)
  tally.add(1, { outcome: 'rate', milliseconds: 5 })

  const zero = { succeeded: 0, failed: 0, totalMs: 0, firstTokenMs: 0, firstTokens: 0 }
  expect(tally.take()).toEqual([
    { channelId: 1, minute: 600_000, succeeded: 2, failed: 1, totalMs: 600, firstTokenMs: 150, firstTokens: 1 },
    { ...zero, channelId: 1, minute: 660_000, failed: 1 },
  ])
  expect(tally.take()).toEqual([])
})

it('drops the oldest when nothing collects them', () => {
  const clock = testClock()
  const tally = createChannelMetrics(clock)

  for (let channelId = 1; channelId <= 20_001; channelId += 1)
    tally.add(channelId, { outcome: 'served', milliseconds: 1 })

  const rows = tally.take()
  expect([rows.length, rows[0]!.channelId]).toEqual([20_000, 2])
})
