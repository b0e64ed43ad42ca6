import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase } from '../connection/connect.ts'
import { listen } from './listen.ts'
import { publish, type ChangeNotification } from './change-notifications.ts'
import { recordingLog } from '../../test/recording-log.ts'

let database: ThrowAwayDatabase
beforeAll(async () => {
  database = await workerDatabase()
})
afterAll(() => database.close())

/** The listeners of this test's own database. */
function killListeners() {
  return sql<{ killed: boolean }>`
    select pg_terminate_backend(pid) as killed from pg_stat_activity
    where datname = current_database() and query = 'listen tidegate'`.execute(database.db)
}

describe('listening', () => {
  it('receives what a committed transaction published, and nothing that was rolled back', async () => {
    const received: ChangeNotification[] = []
    const listening = await listen(database.newClient, (notification) => received.push(notification))

    await database.db
      .transaction()
      .execute(async (trx) => {
        await publish(trx, { kind: 'session', userId: 1 })
        throw new Error('changed my mind')
      })
      .catch(() => {})
    await database.db.transaction().execute(async (trx) => {
      await publish(trx, { kind: 'caller', tokenHash: 'abc', userId: 2 })
      await publish(trx, { kind: 'catalog', version: 3 })
    })
    await expect.poll(() => received.length).toBe(2)
    await listening.stop()

    expect(received).toEqual([
      { kind: 'caller', tokenHash: 'abc', userId: 2 },
      { kind: 'catalog', version: 3 },
    ])
  })

  it('listens again after its connection was killed, and reports the gap', async () => {
    const received: ChangeNotification[] = []
    let gaps = 0
    const { log, lines } = recordingLog()
    const listening = await listen(database.newClient, (notification) => received.push(notification), {
      onReconnect: () => (gaps += 1),
      log,
    })
    expect(gaps).toBe(0)

    for (const round of [1, 2]) {
      await killListeners()
      await expect.poll(() => gaps).toBe(round)
      await publish(database.db, { kind: 'catalog', version: round })
      await expect.poll(() => received.length).toBe(round)
    }
    await listening.stop()

    expect(lines.map(({ level }) => level)).toEqual(['warn', 'warn'])
  })

  it('starts without a server, keeps retrying, and stops on request', async () => {
    const nowhere = connectDatabase({ url: 'postgres://postgres@127.0.0.1:1/x', poolSize: 1, applicationName: 'x' })
    const { log, lines } = recordingLog()

    const listening = await listen(nowhere.newClient, () => {}, { log, backoffMs: { first: 1, max: 4 } })
    await expect.poll(() => lines.length).toBeGreaterThan(3)
    await listening.stop()
    await nowhere.close()

    expect(lines.every(({ level }) => level === 'warn')).toBe(true)
  })

  it('leaves no connection behind', async () => {
    const listening = await listen(database.newClient, () => {})

    await listening.stop()

    await expect
      .poll(
        async () =>
          (
            await sql`select 1 from pg_stat_activity where query = 'listen tidegate'
        and datname = current_database()`.execute(database.db)
          ).rows.length,
      )
      .toBe(0)
  })
})
