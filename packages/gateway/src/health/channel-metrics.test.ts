import { expect, it } from 'vitest'
import { createChannelMetrics } from './channel-metrics.ts'
import { testClock } from '../../test/support/clock.ts'

it('sums up the results of each channel by minute, and returns them once', () => {
  const clock = testClock(600_000)
  const metrics = createChannelMetrics(clock)

  metrics.add(1, { outcome: 'served', milliseconds: 200, firstTokenMs: 150 })
  metrics.add(1, { outcome: 'served', milliseconds: 400 })
  metrics.add(1, { outcome: 'server', milliseconds: 9_000 })
  metrics.add(1, { outcome: 'client', milliseconds: 10 })
  metrics.add(2, { outcome: 'client', milliseconds: 10 })
  clock.pass(61_000)
  metrics.add(1, { outcome: 'rate', milliseconds: 5 })

  const zero = { succeeded: 0, failed: 0, totalMs: 0, firstTokenMs: 0, firstTokens: 0 }
  expect(metrics.take()).toEqual([
    { channelId: 1, minute: 600_000, succeeded: 2, failed: 1, totalMs: 600, firstTokenMs: 150, firstTokens: 1 },
    { ...zero, channelId: 1, minute: 660_000, failed: 1 },
  ])
  expect(metrics.take()).toEqual([])
})

it('drops the oldest when nothing collects them', () => {
  const clock = testClock()
  const metrics = createChannelMetrics(clock)

  for (let channelId = 1; channelId <= 20_001; channelId += 1)
    metrics.add(channelId, { outcome: 'served', milliseconds: 1 })

  const rows = metrics.take()
  expect([rows.length, rows[0]!.channelId]).toEqual([20_000, 2])
})
