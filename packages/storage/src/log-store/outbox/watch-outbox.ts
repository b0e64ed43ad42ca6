import type { Db } from '../../connection/connect.ts'
import { sql } from 'kysely'
import { type LogBatchId, type LogBatchWriter, type LogWriter, tableLogWriter } from '../log-writer.ts'
import { outboxLogWriter } from './outbox-writer.ts'
import { outboxSize, type OutboxSize } from './parcels.ts'

/** What a process knows of the outbox. */
export interface LogOutbox {
  readonly writer: LogWriter
  /** Whether rows go to the table of PostgreSQL: the outbox is full, the log moves there, or exports read it. */
  usesTable(): boolean
  /** Whether new requests are rejected, because each of their rows must reach the other store. */
  rejectsRequests(): boolean
  /** Undefined before it was read. */
  size(): OutboxSize | undefined
  refresh(): Promise<void>
  stop(): void
}

interface OutboxOptions {
  readonly db: Db
  readonly limitBytes: number
  readonly whenFull: 'spill' | 'reject'
  onFull?(bytes: number): void
}

const REFRESH_MS = 5_000

/** Follows the size of the outbox, which decides where new rows go. */
export function watchLogOutbox({ db, limitBytes, whenFull, onFull }: OutboxOptions): LogOutbox {
  let size: OutboxSize | undefined
  let wasFull = false
  const isFull = () => (size?.bytes ?? 0) >= limitBytes
  const isSpilling = () => whenFull === 'spill' && isFull()
  const usesTable = () => size?.store === 'table' || size?.hasExports === true || isSpilling()

  let reading: Promise<void> | undefined
  function refresh(): Promise<void> {
    reading ??= outboxSize(db)
      .then((read) => {
        size = read
        if (isFull() && !wasFull) onFull?.(read.bytes)
        wasFull = isFull()
      })
      .finally(() => (reading = undefined))
    return reading
  }
  const timer = setInterval(() => void refresh().catch(() => {}), REFRESH_MS) // it keeps what it knew
  timer.unref()
  void refresh().catch(() => {})

  return {
    writer: {
      begin: (id) => {
        if (!usesTable()) return outboxLogWriter.begin(id)
        const table = withCheckpoints(tableLogWriter.begin(id), id)
        return isSpilling() ? new SpillWriter(table) : table
      },
    },
    usesTable,
    rejectsRequests: () => whenFull === 'reject' && isFull(),
    size: () => size,
    refresh,
    stop: () => clearInterval(timer),
  }
}

/** Names requests with a checkpoint in the outbox too: their rows may leave the table before a journal is replayed. */
function withCheckpoints(rows: LogBatchWriter, id: LogBatchId): LogBatchWriter {
  return {
    add: (row) => rows.add(row),
    statements: async () => [...(await rows.statements()), ...(await outboxLogWriter.begin(id).statements())],
  }
}

const DAY_MS = 86_400_000

/** Writes to the table, and notes the days whose rows are moved when there is room again. */
class SpillWriter implements LogBatchWriter {
  readonly #rows: LogBatchWriter
  readonly #days = new Set<number>()

  constructor(rows: LogBatchWriter) {
    this.#rows = rows
  }

  add(row: Parameters<LogBatchWriter['add']>[0]): void {
    this.#days.add(Math.floor(row.created_at / DAY_MS))
    this.#rows.add(row)
  }

  async statements() {
    const rows = await this.#rows.statements()
    const days = [...this.#days]
      .toSorted((a, b) => a - b)
      .map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10))
    if (days.length === 0) return rows
    return [...rows, sql`insert into log_move (day) select unnest(${days}::date[]) on conflict do nothing`]
  }
}
