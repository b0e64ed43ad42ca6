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

const GRAVE = ['high', 'critical']

/** The result of `npm audit --json`. An unreadable report says nothing about packages, like a missing one. */
export function readAuditReport(stdout: string, stderr: string): AuditResult {
  const report = parse(stdout)
  const counts = report?.metadata?.vulnerabilities
  if (!counts) {
    const why = report?.message ?? report?.error?.summary ?? (stderr.trim().split('\n')[0] || 'no message')
    return { kind: 'no response', line: `audit: NOT CHECKED, the registry did not return advisories (${why})` }
  }
  const grave = Object.entries(report.vulnerabilities ?? {}).filter(([, { severity }]) => GRAVE.includes(severity))
  const sum = GRAVE.reduce((total, severity) => total + (counts[severity] ?? 0), 0)
  if (sum === 0) return { kind: 'clean', line: 'audit: no advisory of high or critical severity' }
  const names = grave.map(([name, { severity }]) => `${name} (${severity})`).join(', ')
  return { kind: 'findings', line: `audit: ${sum} packages with grave advisories: ${names}` }
}

function parse(text: string): AuditReport | undefined {
  try {
    return JSON.parse(text) as AuditReport
  } catch {
    return undefined
  }
}
