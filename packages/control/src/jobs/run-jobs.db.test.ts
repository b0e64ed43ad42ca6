import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runJobs } from './run-jobs.ts'

let database: ThrowAwayDatabase
const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }

beforeAll(async () => {
  database = await workerDatabase()
})
afterAll(() => database.close())

it('runs a job on one of two workers at a time', async () => {
  const { db } = database
  let running = 0
  let max = 0
  let runs = 0
  const job = {
    name: 'counted',
    everySeconds: 0.01,
    async run() {
      max = Math.max(max, ++running)
      await db.selectFrom('user').select('id').execute()
      running--
      runs++
    },
  }

  const workers = ['one', 'two'].map((holder) => runJobs({ db, holder, log }, [job]))
  await expect.poll(() => runs).toBeGreaterThan(10)
  await Promise.all(workers.map((worker) => worker.stop()))

  expect(max).toBe(1)
})

it('lets another worker take over from a dead one', async () => {
  const { db } = database
  await db
    .insertInto('job_lease')
    .values({ name: 'abandoned', holder: 'dead', expires_at: new Date(Date.now() - 1000) })
    .execute()
  let ran = false

  const worker = runJobs({ db, holder: 'alive', log }, [
    { name: 'abandoned', everySeconds: 1, run: async () => void (ran = true) },
  ])
  await expect.poll(() => ran).toBe(true)
  await worker.stop()
})

it('releases its leases when it stops', async () => {
  const { db } = database
  const ran: string[] = []
  const job = (holder: string) => ({ name: 'handed-over', everySeconds: 3600, run: async () => void ran.push(holder) })

  const first = runJobs({ db, holder: 'first', log }, [job('first')])
  await expect.poll(() => ran).toEqual(['first'])
  await first.stop()
  const second = runJobs({ db, holder: 'second', log }, [job('second')])
  await expect.poll(() => ran).toEqual(['first', 'second'])
  await second.stop()
})

it('continues after a failure and reports it', async () => {
  const { db } = database
  let turns = 0
  const job = {
    name: 'failing',
    everySeconds: 0.01,
    async run() {
      turns++
      throw new Error('no luck')
    },
  }

  const worker = runJobs({ db, holder: 'one', log }, [job])
  await expect.poll(() => turns).toBeGreaterThan(2)
  await worker.stop()

  expect(log.error).toHaveBeenCalledWith(expect.objectContaining({ job: 'failing' }), 'job failed')
})
