import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { movedRows, watchLogOutbox, type LogOutbox } from '@tidegate/storage'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { chargeOf, quiet, readBalances, seedToken, seedUser, settlementOf } from '../../test/books.ts'
import { linesOf, writeJournalLines } from '../../test/journal-files.ts'
import { replayDeadJournals } from '../replay.ts'
import type { SettlementRecord } from './settlement.ts'
import { settleBatch } from './apply-batch.ts'
import { settledRequests } from './settled-batches.ts'

let database: ThrowAwayDatabase
let outbox: LogOutbox
let userId: number
let tokenId: number
beforeEach(async () => {
  database = await workerDatabase()
  const { db } = database
  userId = await seedUser(db, 1_000_000)
  tokenId = await seedToken(db, userId, 500_000)
  await sql`insert into log_outbox (series, batch, rows, bytes) values ('other', 1, 1, 10)`.execute(db)
  outbox = watchLogOutbox({ db, limitBytes: 1, whenFull: 'spill' })
  await outbox.refresh()
})
afterEach(async () => {
  outbox.stop()
  await database.close()
})

const requestOf = (requestId: string) =>
  settlementOf(chargeOf({ requestId, userId, tokenId, tokenUnlimited: false }, 30))

const settleSpilled = (settlements: readonly SettlementRecord[], checkpointed: readonly string[] = []) =>
  settleBatch(database.db, { holder: 'a', number: 1, logs: outbox.writer, checkpointed }, settlements)

async function moveAll(): Promise<void> {
  for (const day of await movedRows.daysOfTable(database.db)) await movedRows.moveToOutbox(database.db, day)
}

it('does not charge an interrupted request whose row was moved out of PostgreSQL', async () => {
  const open = requestOf('open')
  await settleSpilled([open])
  const before = await readBalances(database.db, userId, tokenId)
  await moveAll()
  expect(await movedRows.daysOfTable(database.db)).toEqual([])

  const journals = await mkdtemp(join(tmpdir(), 'tidegate-journals-'))
  await writeJournalLines(join(journals, 'dead'), linesOf(requestOf('other'), open))
  await replayDeadJournals({ db: database.db, journals, self: 'me', log: quiet })

  const after = await readBalances(database.db, userId, tokenId)
  expect(before.user - after.user).toBe(30) // of the other request
})

it('remembers requests with checkpoints while rows go to the table, also if their log is off', async () => {
  await settleSpilled([{ ...requestOf('silent'), keepLog: false }], ['silent'])

  expect(await settledRequests(database.db, ['silent', 'none'])).toEqual(new Set(['silent']))
})
