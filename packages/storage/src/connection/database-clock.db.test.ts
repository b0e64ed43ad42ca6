import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { startDatabaseClock, type DatabaseClock } from './database-clock.ts'
import { recordingLog } from '../../test/recording-log.ts'

const DAY_MS = 86_400_000
let database: ThrowAwayDatabase
let clock: DatabaseClock
beforeAll(async () => {
  database = await workerDatabase()
})
afterEach(() => {
  clock.stop()
  vi.useRealTimers()
})
afterAll(() => database.close())

it('has the time of the database on a machine whose clock is ahead, and reports that once', async () => {
  const log = recordingLog()
  const machineTime = () => Date.now() + 200 * DAY_MS

  clock = await startDatabaseClock({ db: database.db, log: log.log, machineTime, everyMs: 5 })

  const away = Math.abs(clock.now().getTime() - Date.now())
  expect(away).toBeLessThan(DAY_MS)
  expect(Math.round(clock.skewSeconds() / 86_400)).toBe(200)
  expect(clock.isSkewed()).toBe(true)
  expect(log.lines.map(({ message }) => message)).toEqual(['clock differs from the database'])
})

it('continues between two responses, whatever happens to the clock of the machine', async () => {
  let machine = Date.now()
  let elapsed = 0
  const { log } = recordingLog()
  clock = await startDatabaseClock({ db: database.db, log, machineTime: () => machine, elapsed: () => elapsed })
  const before = machine

  elapsed += 60_000
  machine -= 7_200_000

  expect(Math.abs(clock.time() - before - 60_000)).toBeLessThan(5_000)
  expect(Math.round(clock.skewSeconds() / 60)).toBe(-121)
})

it('has whole milliseconds on a machine whose clock is ahead, as columns of the ledger do', async () => {
  let elapsed = 0
  const { log } = recordingLog()
  const machineTime = () => Date.now() + DAY_MS
  clock = await startDatabaseClock({ db: database.db, log, machineTime, elapsed: () => elapsed })

  elapsed += 1_000.4

  expect(clock.isSkewed()).toBe(true)
  expect(Number.isInteger(clock.time())).toBe(true)
})

it('leaves a small difference as it is', async () => {
  const machine = Date.now() + 1_000
  const { log } = recordingLog()

  clock = await startDatabaseClock({ db: database.db, log, machineTime: () => machine })

  expect(clock.time()).toBe(machine)
})

it('asks again at each interval', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let elapsed = 0
  const { log } = recordingLog()
  clock = await startDatabaseClock({ db: database.db, log, elapsed: () => elapsed })
  elapsed += 3_600_000 // the machine slept, or its own count is wrong
  expect(clock.now().getTime()).toBeGreaterThan(Date.now() + 3_000_000)

  await vi.advanceTimersByTimeAsync(30_000)

  await vi.waitFor(() => expect(clock.now().getTime()).toBeLessThan(Date.now() + 60_000))
})
