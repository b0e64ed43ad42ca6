import { auditChain, type AuditFilters, type ChainPosition, type Db } from '@tidegate/storage'
import { exportLine } from './chain.ts'

/** Read at once: few trips to the database, and little to hold in memory. */
const CHUNK = 500

/**
 * Sealed events as JSON lines, in the order of the chain. Events of the last seconds have no seal yet and are left to the
 * next export.
 */
export async function* exportEvents(
  db: Db,
  filters: AuditFilters,
  signal: Pick<AbortSignal, 'aborted'>,
): AsyncGenerator<string> {
  let position: ChainPosition = { seal: 0, id: 0 }
  while (!signal.aborted) {
    const records = await auditChain.pageAfter(db, filters, position, CHUNK)
    if (records.length > 0) yield records.map((record) => `${exportLine(record)}\n`).join('')
    const last = records.at(-1)
    if (!last || records.length < CHUNK) return
    position = last
  }
}
