import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registrations } from '../index.ts'

let database: ThrowAwayDatabase
beforeAll(async () => {
  database = await workerDatabase()
})
afterAll(() => database.close())

const account = { passwordHash: 'x', email: '', inviterId: null }

describe('a registration', () => {
  it('returns nothing when name, address or invite code is taken, and does not abort the transaction', async () => {
    const taken = { ...account, username: 'first', email: 'first@example.com', inviteCode: 'CODE0001' }
    const free = { username: 'second', email: 'second@example.com', inviteCode: 'CODE0002' }
    expect(await registrations.insert(database.db, taken)).toBeTypeOf('number')

    const ids = await database.db
      .transaction()
      .execute(async (transaction) => [
        await registrations.insert(transaction, { ...account, ...free, username: 'FIRST' }),
        await registrations.insert(transaction, { ...account, ...free, email: 'First@Example.com' }),
        await registrations.insert(transaction, { ...account, ...free, inviteCode: 'CODE0001' }),
        await registrations.insert(transaction, { ...account, ...free }),
      ])

    expect(ids).toEqual([undefined, undefined, undefined, expect.any(Number)])
  })

  it('finds an inviter only while they are active', async () => {
    const id = await registrations.insert(database.db, { ...account, username: 'host', inviteCode: 'HOST0001' })
    expect(await registrations.findInviter(database.db, 'HOST0001')).toBe(id)

    await database.db.updateTable('user').set({ status: 2 }).where('id', '=', id!).execute()

    expect(await registrations.findInviter(database.db, 'HOST0001')).toBeUndefined()
  })

  it('counts name and address of a deregistered user as used, but does not find the user by them', async () => {
    const gone = { ...account, username: 'gone', email: 'gone@example.com', inviteCode: 'GONE0001' }
    const id = await registrations.insert(database.db, gone)
    await database.db.updateTable('user').set({ deleted_at: new Date() }).where('id', '=', id!).execute()

    expect(await registrations.isNameUsed(database.db, 'Gone')).toBe(true)
    expect(await registrations.isEmailUsed(database.db, 'GONE@example.com')).toBe(true)
    expect(await registrations.findByEmail(database.db, 'gone@example.com')).toBeUndefined()
    expect(await registrations.isEmailUsed(database.db, '')).toBe(false)
  })
})
