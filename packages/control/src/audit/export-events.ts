import { auditChain, type AuditFilters, type ChainPosition, type Db } from '@tidegate/storage'
import { exportLine } from './chain.ts'

/** Rows per query: few round trips, little memory. */
const CHUNK = 500

/**
 * Sealed events as JSON lines in chain order. Events of the last seconds are not sealed yet; the next export has them.
 */
export async function* exportAuditEvents(
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
