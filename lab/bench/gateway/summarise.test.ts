import { describe, expect, it } from 'vitest'
import { checkGoals } from './goals.ts'
import type { RoundRow } from './rounds.ts'
import { summarise } from './summarise.ts'

function row(target: RoundRow['target'], round: number, metrics: Partial<RoundRow>): RoundRow {
  return {
    round,
    concurrency: 64,
    target,
    cpuPerRequest: 0,
    databasePerRequest: 0,
    requestsPerSecond: 0,
    p50: 0,
    p99: 0,
    residentMb: 0,
    bad: 0,
    noise: 0,
    tries: 1,
    ...metrics,
  }
}

describe('summarising rounds', () => {
  const rows = [
    row('direct', 1, { p50: 10 }),
    row('undici', 1, { cpuPerRequest: 100, p50: 50 }),
    row('tidegate-gateway', 1, { cpuPerRequest: 150, p50: 90, bad: 1 }),
    row('direct', 2, { p50: 20 }),
    row('undici', 2, { cpuPerRequest: 200, p50: 60 }),
    row('tidegate-gateway', 2, { cpuPerRequest: 280, p50: 100, noise: 0.5 }),
    row('direct', 3, { p50: 10 }),
    row('undici', 3, { cpuPerRequest: 100, p50: 50 }),
    row('tidegate-gateway', 3, { cpuPerRequest: 160, p50: 95, bad: 2 }),
  ]

  it('compares within a round before it takes the median', () => {
    const tidegate = summarise(rows).find(({ target }) => target === 'tidegate-gateway')

    expect(tidegate).toMatchObject({ cpuPerRequest: 160, timesBare: 1.5, addedP50: 80, bad: 3, noise: 0.5 })
  })

  it('leaves out targets without measurements', () => {
    const [only] = summarise([row('tidegate-gateway', 1, { cpuPerRequest: 5 })])

    expect(only).toMatchObject({ timesBare: undefined, addedP50: undefined })
    expect(checkGoals([only!]).map(({ goal }) => goal)).toEqual(['resident memory in MB, the most: at most 250'])
  })

  it('evaluates goals at a concurrency of 64', () => {
    const [cpu] = checkGoals(summarise(rows))

    expect(cpu).toEqual({ goal: 'CPU, times bare undici, 64 at once: at most 2', metric: 1.6, isReached: true })
  })
})
