import { expect, it } from 'vitest'
import { type StreamDelayRow, summariseStreamDelay } from './stream-delay.ts'

function row(target: StreamDelayRow['target'], round: number, metrics: Partial<StreamDelayRow>): StreamDelayRow {
  const none = {
    firstP50: 0,
    firstP99: 0,
    cpuPerChunk: 0,
    chunksPerSecond: 0,
    delayP50: 0,
    delayP99: 0,
    bad: 0,
    noise: 0,
  }
  return { round, test: 'spaced', target, ...none, ...metrics }
}

it('compares streams with the upstream and the bare relay of the same round', () => {
  const rows = [
    row('direct', 1, { delayP99: 100, firstP50: 30 }),
    row('undici', 1, { cpuPerChunk: 20 }),
    row('tidegate', 1, { cpuPerChunk: 30, delayP99: 900, firstP50: 430, bad: 1 }),
    row('direct', 2, { delayP99: 500, firstP50: 30 }),
    row('undici', 2, { cpuPerChunk: 40 }),
    row('tidegate', 2, { cpuPerChunk: 60, delayP99: 1300, firstP50: 530 }),
  ]

  const [, bare, tidegate] = summariseStreamDelay(rows)

  expect(tidegate).toMatchObject({ timesBare: 1.5, addedDelayP99: 800, addedFirstP50: 400, bad: 1 })
  expect(bare).toMatchObject({ timesBare: undefined })
})
