import { join } from 'node:path'
import { runNpm } from '../release/run-npm.ts'

export interface AuditResult {
  readonly kind: 'clean' | 'findings' | 'no response'
  readonly line: string
}

interface AuditReport {
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> }
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>
  readonly message?: string
  readonly error?: { readonly summary?: string }
}

const SEVERE = ['high', 'critical']

/** The result of `npm audit --json`. An unreadable report says nothing about packages, like a missing one. */
export function readAuditReport(stdout: string, stderr: string): AuditResult {
  const report = parse(stdout)
  const counts = report?.metadata?.vulnerabilities
  if (!counts) {
    const why = report?.message ?? report?.error?.summary ?? (stderr.trim().split('\n')[0] || 'no message')
    return { kind: 'no response', line: `audit: NOT CHECKED, the registry did not return advisories (${why})` }
  }
  const severe = Object.entries(report.vulnerabilities ?? {}).filter(([, { severity }]) => SEVERE.includes(severity))
  const sum = SEVERE.reduce((total, severity) => total + (counts[severity] ?? 0), 0)
  if (sum === 0) return { kind: 'clean', line: 'audit: no advisory of high or critical severity' }
  const names = severe.map(([name, { severity }]) => `${name} (${severity})`).join(', ')
  return { kind: 'findings', line: `audit: ${sum} packages with severe advisories: ${names}` }
}

/** Runs `npm audit`. Fails on severe advisories; a registry without an audit service is reported and does not fail. */
async function auditDependencies(root: string): Promise<void> {
  const { stdout, stderr } = await runNpm(root, ['audit', '--json', '--audit-level=high', '--omit=dev'])
  const { kind, line } = readAuditReport(stdout, stderr)
  console.log(line)
  process.exitCode = kind === 'findings' ? 1 : 0
}

function parse(text: string): AuditReport | undefined {
  try {
    return JSON.parse(text) as AuditReport
  } catch {
    return undefined
  }
}

if (import.meta.main) await auditDependencies(join(import.meta.dirname, '../..'))
