import { logEvent, type Log } from '@tidegate/contract'

export interface WriteBehind<Row> {
  /** Never waits and never throws. Rows that cannot be queued are counted and logged. */
  add(row: Row): void
  /** The number of queued rows and of dropped rows. */
  metrics(): QueueMetrics
  /** Tries once to write the queued rows now. */
  flush(): Promise<void>
  /** Writes the remaining rows. */
  stop(): Promise<void>
}

export interface QueueMetrics {
  readonly waiting: number
  readonly dropped: number
}

interface WriteBehindOptions<Row> {
  /** Names the rows in log lines. */
  readonly name: string
  write(rows: readonly Row[]): Promise<void>
  readonly log: Log
  readonly everyMs?: number
  /** The maximum number of queued rows while the database is unavailable. Newer rows are dropped. */
  readonly max?: number
}

/** Writes rows in batches, outside of requests. Queued rows are lost if the process dies. */
export function writeBehind<Row>({
  name,
  write,
  log,
  everyMs = 1000,
  max = 10_000,
}: WriteBehindOptions<Row>): WriteBehind<Row> {
  let waiting: Row[] = []
  let dropped = 0
  let totalDropped = 0
  let writing: Promise<void> | undefined

  async function writeBatch(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      await write(batch)
      if (dropped > 0) logEvent(log, 'storage.rows_dropped', { name, dropped })
      dropped = 0
    } catch (error) {
      logEvent(log, 'storage.write_failed', { err: error, name, rows: batch.length })
      const room = Math.max(0, max - waiting.length)
      const lost = Math.max(0, batch.length - room)
      dropped += lost
      totalDropped += lost
      waiting = [...batch.slice(0, room), ...waiting]
    }
  }

  function start(): void {
    if (waiting.length === 0 || writing) return
    writing = writeBatch().finally(() => (writing = undefined))
  }

  async function flush(): Promise<void> {
    await writing // it may not have every row
    start()
    await writing
  }

  const timer = setInterval(start, everyMs)
  timer.unref()

  return {
    add(row) {
      if (waiting.length < max) waiting.push(row)
      else {
        dropped += 1
        totalDropped += 1
      }
    },
    metrics: () => ({ waiting: waiting.length, dropped: totalDropped }),
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
