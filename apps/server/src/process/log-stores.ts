import { logEvent } from '@tidegate/contract'
import {
  type ClickHouse,
  clickHouseBooks,
  clickHouseLogStore,
  clickHouseReceiver,
  connectClickHouse,
  type DatabaseHandle,
  type Db,
  type LogBooks,
  type LogOutbox,
  type LogStore,
  mergeLogStores,
  type ParcelReceiver,
  postgresLogStore,
  returningRows,
  type ReturningRows,
  watchLogOutbox,
} from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'

/** Where log rows of this site are. */
export interface LogStores {
  /** The log of the site, with the deadline of a database handle. */
  at(db: Db, timeoutMs: number): LogStore
  /** Rows that wait for another store; undefined if they stay in PostgreSQL. */
  readonly outbox: LogOutbox | undefined
  /** The other store, which receives them. */
  readonly receiver: ParcelReceiver | undefined
  /** Sums of the other store, for `tidegate verify`. */
  readonly books: LogBooks | undefined
  /** The way back to PostgreSQL. */
  readonly returning: ReturningRows | undefined
  close(): Promise<void>
}

/** Timeout of the statements that receive the outbox. */
const RECEIVER_MS = 30_000
/** Timeout of sums over the whole log. */
const BOOKS_MS = 600_000

/** Connects at the first use, so that a site also starts while ClickHouse is away. */
export function openLogStores(
  { TIDEGATE_LOG_STORE: url, TIDEGATE_LOG_OUTBOX_MB, TIDEGATE_LOG_OUTBOX_FULL }: Environment,
  { db }: Pick<DatabaseHandle, 'db'>,
  log: Logger,
): LogStores {
  if (url === undefined) {
    return {
      at: postgresLogStore,
      outbox: undefined,
      receiver: undefined,
      books: undefined,
      returning: undefined,
      close: async () => {},
    }
  }
  const opened: ClickHouse[] = []
  const connect = (timeoutMs: number) => {
    const clickhouse = connectClickHouse({ url, timeoutMs })
    opened.push(clickhouse)
    return clickhouse
  }
  const outbox = watchLogOutbox({
    db,
    limitBytes: TIDEGATE_LOG_OUTBOX_MB * 1024 ** 2,
    whenFull: TIDEGATE_LOG_OUTBOX_FULL,
    onFull: (bytes) => logEvent(log, 'logs.outbox_full', { bytes, behaviour: TIDEGATE_LOG_OUTBOX_FULL }),
  })
  return {
    outbox,
    receiver: clickHouseReceiver(connect(RECEIVER_MS)),
    books: clickHouseBooks(connect(BOOKS_MS)),
    returning: returningRows({ db, clickhouse: connect(BOOKS_MS) }),
    at(handle, timeoutMs) {
      const table = postgresLogStore(handle)
      const merged = mergeLogStores(handle, clickHouseLogStore(handle, connect(timeoutMs)), table)
      return { ...merged, append: (rows) => (outbox.usesTable() ? table : merged).append(rows) }
    },
    async close() {
      outbox.stop()
      await Promise.all(opened.map((clickhouse) => clickhouse.close()))
    },
  }
}
