import { setTimeout as delay } from 'node:timers/promises'
import { LogStoreUnavailable, logParcels, movedRows, shipParcels } from '@tidegate/storage'
import type { Environment } from '../../environment.ts'
import type { Logger } from '../../observability/logging.ts'
import { openStorage, type Storage } from '../../process/open-storage.ts'
import { CommandError } from '../command-error.ts'

interface LogsCommand {
  readonly args: readonly string[]
  readonly to?: string | undefined
}

const USAGE = 'Use: tidegate logs move --to clickhouse, or --to postgres.'

/** Moves log rows of requests to another store while the site serves. Returns the exit code. */
export async function logs(environment: Environment, log: Logger, { args, to }: LogsCommand): Promise<number> {
  if (args[0] !== 'move' || (to !== 'clickhouse' && to !== 'postgres')) throw new CommandError(USAGE)
  const storage = await openStorage({ ...environment, REDIS_URL: undefined }, log)
  try {
    if (!storage.logs.receiver) throw new CommandError('Set TIDEGATE_LOG_STORE to the address of ClickHouse.')
    const limitBytes = environment.TIDEGATE_LOG_OUTBOX_MB * 1024 ** 2
    return await (to === 'clickhouse' ? moveToClickHouse(storage, limitBytes) : moveToTable(storage))
  } catch (error) {
    if (!(error instanceof LogStoreUnavailable)) throw error
    throw new CommandError('ClickHouse does not respond. Run the command again: it continues where it stopped.')
  } finally {
    await storage.close()
  }
}

/** More rows are packed only below this part of the limit of the outbox. */
const ROOM = 0.2

/** Newest day first. An interrupted run has moved whole transactions, so the next one goes on. */
async function moveToClickHouse(storage: Storage, limitBytes: number): Promise<number> {
  const { db } = storage.database
  if ((await logParcels.outboxSize(db)).hasExports) {
    throw new CommandError('Exports read log rows from PostgreSQL. Turn every export destination off first.')
  }
  await movedRows.setTarget(db, 'outbox')
  let total = 0
  for (const day of await movedRows.daysOfTable(db)) {
    let moved = 0
    for (let chunk: number; (chunk = await movedRows.moveToOutbox(db, day)) > 0;) {
      moved += chunk
      if ((await logParcels.outboxSize(db)).bytes > limitBytes * ROOM) await sendAll(storage)
    }
    await sendAll(storage)
    await movedRows.forgetSpilledDay(db, day)
    console.log(`${day}: ${moved} rows moved to ClickHouse`)
    total += moved
  }
  console.log(`${total} rows moved. Run "tidegate verify" to compare both stores.`)
  return 0
}

/** Processes follow the new target within this time. */
const TARGET_SECONDS = 15

/** Newest day first. New rows go to PostgreSQL from the start, so that the end is reached. */
async function moveToTable(storage: Storage): Promise<number> {
  const { db } = storage.database
  const returning = storage.logs.returning!
  await movedRows.setTarget(db, 'table')
  console.log(`New rows go to PostgreSQL within ${TARGET_SECONDS} seconds.`)
  await delay(TARGET_SECONDS * 1000)
  let total = 0
  for (;;) {
    await sendAll(storage)
    const day = (await returning.listDays()).at(-1)
    if (day === undefined) break
    const moved = await returning.returnDay(day)
    console.log(`${day}: ${moved} rows moved to PostgreSQL`)
    total += moved
  }
  console.log(`${total} rows moved. Restart every process without TIDEGATE_LOG_STORE.`)
  return 0
}

const ROWS_PER_SECOND = 50_000

/** The worker of a site that runs sends as well: a parcel counts once, from every sender. */
async function sendAll({ database: { db }, logs: { receiver } }: Storage): Promise<void> {
  const { signal } = new AbortController()
  while ((await logParcels.outboxSize(db)).rows > 0) {
    const sent = await shipParcels({ db, receiver: receiver!, rowsPerSecond: ROWS_PER_SECOND, signal })
    if (sent === 0) await delay(100)
  }
}
