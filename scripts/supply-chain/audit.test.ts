import { describe, expect, it } from 'vitest'
import { readAuditReport } from './audit.ts'

const report = (counts: Record<string, number>, vulnerabilities: Record<string, { severity: string }> = {}) =>
  JSON.stringify({
    vulnerabilities,
    metadata: { vulnerabilities: { info: 0, low: 0, moderate: 0, high: 0, critical: 0, ...counts } },
  })

describe('an audit', () => {
  it('is clean without severe advisories', () => {
    const result = readAuditReport(report({ moderate: 2 }, { mild: { severity: 'moderate' } }), '')
    expect(result.kind).toBe('clean')
  })

  it('names the packages with severe advisories', () => {
    const found = { leaky: { severity: 'high' }, open: { severity: 'critical' }, mild: { severity: 'low' } }
    const result = readAuditReport(report({ high: 1, critical: 1, low: 1 }, found), '')
    expect(result).toEqual({
      kind: 'findings',
      line: 'audit: 2 packages with severe advisories: leaky (high), open (critical)',
    })
  })

  it.each([
    [
      'a registry without advisories',
      JSON.stringify({ message: '405 Method Not Allowed', error: { summary: '' } }),
      '',
    ],
    ['no registry at all', JSON.stringify({ error: { summary: 'request to the registry failed' } }), ''],
    ['text that is not a report', 'upstream unavailable', 'npm error network'],
    ['nothing', '', ''],
  ])('reports that it was not done when there is %s', (_, stdout, stderr) => {
    const result = readAuditReport(stdout, stderr)
    expect(result.kind).toBe('no response')
    expect(result.line).toContain('NOT CHECKED')
  })
})
