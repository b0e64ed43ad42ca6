import { describe, expect, it } from 'vitest'
import { parseMachineTimes, parseProcessLine, parseResidentKb, parseThreadCpu } from './read-proc.ts'

describe('reading /proc', () => {
  it('counts time as busy that is not idle, I/O wait or stolen', () => {
    const text = 'cpu  100 1 20 5000 300 4 5 60 0 0\ncpu0 50 0 10 2500 150 2 2 30 0 0\n'

    expect(parseMachineTimes(text)).toEqual({ busyMs: 1300, stealMs: 600 })
  })

  it('finds the parent of a process whatever its name contains', () => {
    const text = '4711 (a) b (c) S 42 4711 4711 0 -1 4194304 10 20 0 0 7 3 11 22 20 0 1 0 100 200 300'

    expect(parseProcessLine(text)).toEqual({ parent: 42, endedChildrenNanoseconds: 330_000_000 })
  })

  it('reads the CPU time of a thread and the memory of a process', () => {
    expect(parseThreadCpu('123456789 42 7\n')).toBe(123_456_789)
    expect(parseResidentKb('Name:\tnode\nVmRSS:\t  20480 kB\nThreads:\t7\n')).toBe(20_480)
    expect(parseResidentKb('')).toBe(0)
  })
})
