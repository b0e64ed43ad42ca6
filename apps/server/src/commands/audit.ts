import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportAuditEvents } from '@tidegate/control'
import { describeSchemaProblem, inspectSchema, type AuditFilters } from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { openStorage } from '../process/open-storage.ts'
import { CommandError, throwFileError } from './command-error.ts'

/** `--from`, `--to`, `--format` and `--output` are options of other commands as well. */
interface AuditCommand {
  args: readonly string[]
  from?: string | undefined
  to?: string | undefined
  format?: string | undefined
  output?: string | undefined
}

/** `tidegate audit export`: sealed audit events as JSON lines. Returns the exit code. */
export async function audit(environment: Environment, log: Logger, command: AuditCommand): Promise<number> {
  const { args, from, to, format = 'jsonl', output } = command
  if (args[0] !== 'export') throw new CommandError('Use: tidegate audit export [--from DAY] [--to DAY] [--output FILE]')
  if (format !== 'jsonl') throw new CommandError('--format must be jsonl.')
  const filters: AuditFilters = {
    ...(from !== undefined && { start_timestamp: readTime('--from', from) }),
    ...(to !== undefined && { end_timestamp: readTime('--to', to) - 1 }),
  }
  const storage = await openStorage({ ...environment, REDIS_URL: undefined }, log)
  try {
    const { db } = storage.database
    const problem = describeSchemaProblem(await inspectSchema(db))
    if (problem !== undefined) throw new CommandError(problem)
    const lines = Readable.from(exportAuditEvents(db, filters, { aborted: false }), { objectMode: false })
    if (output === undefined) await pipeline(lines, process.stdout, { end: false })
    else await pipeline(lines, createWriteStream(output, { mode: 0o600 })).catch(throwFileError(output))
    return 0
  } finally {
    await storage.close()
  }
}

/** Parses a day or a time, in UTC unless it has an offset, to unix seconds. */
function readTime(option: string, text: string): number {
  const day = /^\d{4}-\d\d-\d\d$/.test(text)
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(text)
  const milliseconds = day || time ? Date.parse(text) : NaN
  if (Number.isNaN(milliseconds)) {
    throw new CommandError(`${option} must be a day such as 2026-11-17 or a time such as 2026-11-17T08:00:00Z.`)
  }
  return milliseconds / 1000
}
