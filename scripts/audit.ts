import { join } from 'node:path'
import { readAuditReport } from './supply-chain/audit-report.ts'
import { runNpm } from './release/run-npm.ts'

/**
 * `npm run audit:deps`: fails on severe advisories. A registry without an audit service is reported and does not fail.
 */
const { stdout, stderr } = await runNpm(join(import.meta.dirname, '..'), [
  'audit',
  '--json',
  '--audit-level=high',
  '--omit=dev',
])
const { kind, line } = readAuditReport(stdout, stderr)
console.log(line)
process.exitCode = kind === 'findings' ? 1 : 0
