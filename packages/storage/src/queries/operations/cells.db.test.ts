import { lowestId } from '@tidegate/contract'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { claimOwn } from './cells.ts'

let database: ThrowAwayDatabase
beforeEach(async () => {
  database = await workerDatabase()
})
afterEach(() => database.close())

const addUser = async (name: string) => {
  const { rows } = await sql<{ id: number }>`
    insert into "user" (username, display_name, aff_code) values (${name}, ${name}, ${name}) returning id`.execute(
    database.db,
  )
  return rows[0]!.id
}
const nextId = async (table: string) => {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence(${table}, 'id')) as id`.execute(
    database.db,
  )
  return rows[0]!.id
}

it('starts the IDs of accounts in the range of the cell, also when several processes start at once', async () => {
  await Promise.all([claimOwn(database.db, 'b7'), claimOwn(database.db, 'b7'), claimOwn(database.db, 'b7')])

  expect(await addUser('first')).toBe(lowestId('b7') + 1)
  expect(await nextId('token')).toBe(lowestId('b7') + 1)
  expect(await nextId('channel')).toBe(1)
  await claimOwn(database.db, 'b7')
  expect(await addUser('second')).toBe(lowestId('b7') + 2)
})

it('keeps the IDs of the default cell', async () => {
  await claimOwn(database.db, 'a0')

  expect(await addUser('first')).toBe(1)
})

it('rejects another cell than that of the database', async () => {
  await claimOwn(database.db, 'a0')

  await expect(claimOwn(database.db, 'a1')).rejects.toThrow('TIDEGATE_CELL is a1, but the database belongs to cell a0.')
})

it('rejects another cell than the default one where users exist, and records nothing', async () => {
  await addUser('first')

  await expect(claimOwn(database.db, 'a1')).rejects.toThrow('A database with users keeps the cell a0')
  await claimOwn(database.db, 'a0')
})
