import { describe, expect, it } from 'vitest'
import { layOutCores } from '../machine/machine.ts'
import { formatNumber, markdownTable } from '../report.ts'
import { noiseOf } from './measure.ts'
import { parseMetric } from './tidegate-process.ts'

describe('benchmark harness', () => {
  it('gives the target a core of its own', () => {
    expect(layOutCores(2)).toEqual({ load: '0', target: '1', secondTarget: '1', database: '0' })
    expect(layOutCores(8)).toEqual({ load: '0', target: '1', secondTarget: '2', database: '7' })
  })

  it('counts CPU that neither the run nor its helpers used as noise', () => {
    expect(noiseOf({ busyMs: 1500, stealMs: 50, knownMs: 1400, wallMs: 1000 })).toBeCloseTo(0.15)
    expect(noiseOf({ busyMs: 990, stealMs: 0, knownMs: 1000, wallMs: 1000 })).toBe(0)
  })

  it('formats numbers with significant digits', () => {
    expect([0.123, 3.456, 64.4, 12_345.6, -0.001, Number.NaN].map(formatNumber)).toEqual([
      '0.12',
      '3.5',
      '64',
      '12,346',
      '-0.00',
      '',
    ])
  })

  it('aligns columns of numbers to the right', () => {
    expect(
      markdownTable(
        ['target', 'µs'],
        [
          ['nginx', 21],
          ['undici', undefined],
        ],
      ),
    ).toBe('| target | µs |\n|---|--:|\n| nginx | 21 |\n| undici |  |')
  })

  it('sums a metric over its labels', () => {
    const text = '# HELP a b\na_total{x="1"} 2\na_total{x="2"} 3\na_total_else 9\nplain 7\n'

    expect(parseMetric(text, 'a_total')).toBe(5)
    expect(parseMetric(text, 'plain')).toBe(7)
    expect(() => parseMetric(text, 'gone')).toThrow('gone')
  })
})
