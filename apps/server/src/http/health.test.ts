import type { JournalDisk } from '@tidegate/ledger'
import type { Db } from '@tidegate/storage'
import { fastify } from 'fastify'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { expect, it } from 'vitest'
import { createReadiness, registerHealth } from './health.ts'

const reachable: Db = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

const HEALTHY: JournalDisk = { isFailing: false, failedWrites: 3, freeBytes: 10e9 }

/** The responses of a gateway to `/readyz` and `/readyz?strict=1`. */
async function readyz(disk: Partial<JournalDisk>) {
  const app = fastify()
  const readiness = createReadiness({
    db: reachable,
    isClockSkewed: () => false,
    canServe: () => true,
    disk: () => ({ ...HEALTHY, ...disk }),
  })
  registerHealth(app, async () => {
    const { problems, degraded } = await readiness.read()
    return { isReady: problems.length === 0, problems, degraded }
  })
  const [usual, strict] = [await app.inject('/readyz'), await app.inject('/readyz?strict=1')]
  return {
    usual: usual.statusCode,
    strict: strict.statusCode,
    degraded: usual.json<{ degraded?: string[] }>().degraded,
  }
}

it.each<[string, Partial<JournalDisk>]>([
  ['the last write of the journal failed', { isFailing: true }],
  ['the disk of the journal is almost full', { freeBytes: 60e6 }],
])('is degraded while %s', async (_case, disk) => {
  expect(await readyz(disk)).toEqual({ usual: 200, strict: 503, degraded: ['disk'] })
})

it.each<[string, Partial<JournalDisk>]>([
  ['has space again after failed writes', {}],
  ['does not report its free space', { freeBytes: undefined }],
])('is ready if the disk %s', async (_case, disk) => {
  expect(await readyz(disk)).toEqual({ usual: 200, strict: 200, degraded: undefined })
})
