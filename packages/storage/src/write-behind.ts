import type { Log } from './log.ts'

export interface WriteBehind<Row> {
  /** Never waits and never throws: what cannot be kept is counted and told in the log. */
  add(row: Row): void
  /** Rows that wait, and rows that had to be given up. */
  figures(): QueueFigures
  /** Writes what is left. */
  stop(): Promise<void>
}

export interface QueueFigures {
  readonly waiting: number
  readonly dropped: number
}

interface WriteBehindOptions<Row> {
  /** For the log: what the rows are. */
  readonly name: string
  write(rows: readonly Row[]): Promise<void>
  readonly log: Log
  readonly everyMs?: number
  /** Rows kept while the database is away; newer ones are dropped beyond that. */
  readonly most?: number
}

/** Collects rows that may be lost with the process, and writes them a batch at a time, off the path of any call. */
export function writeBehind<Row>({
  name,
  write,
  log,
  everyMs = 1000,
  most = 10_000,
}: WriteBehindOptions<Row>): WriteBehind<Row> {
  let waiting: Row[] = []
  let dropped = 0
  let totalDropped = 0
  let writing: Promise<void> | undefined

  async function flush(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      await write(batch)
      if (dropped > 0) log.warn({ name, dropped }, 'rows were dropped while the database could not take them')
      dropped = 0
    } catch (error) {
      log.warn({ err: error, name, rows: batch.length }, 'rows could not be written, and are kept for the next try')
      const room = Math.max(0, most - waiting.length)
      const lost = Math.max(0, batch.length - room)
      dropped += lost
      totalDropped += lost
      waiting = [...batch.slice(0, room), ...waiting]
    }
  }

  const timer = setInterval(() => {
    if (waiting.length === 0 || writing) return
    writing = flush().finally(() => (writing = undefined))
  }, everyMs)
  timer.unref()

  return {
    add(row) {
      if (waiting.length < most) waiting.push(row)
      else {
        dropped += 1
        totalDropped += 1
      }
    },
    figures: () => ({ waiting: waiting.length, dropped: totalDropped }),
    async stop() {
      clearInterval(timer)
      await writing
      if (waiting.length > 0) await flush()
    },
  }
}
