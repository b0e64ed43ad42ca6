import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailCodes, type MailCodeKey } from '../index.ts'

let database: ThrowAwayDatabase
beforeAll(async () => {
  database = await workerDatabase()
})
afterAll(() => database.close())

const start = new Date('2026-03-01T12:00:00Z')
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000)
const store = (key: MailCodeKey, hash: string, now = start) =>
  mailCodes.replace(database.db, key, {
    hash,
    now,
    expiresAt: new Date(now.getTime() + 600_000),
    youngest: new Date(now.getTime() - 60_000),
  })

let addresses = 0
const newKey = (): MailCodeKey => ({ purpose: 'register', address: `a${(addresses += 1)}@example.com`, userId: 0 })

describe('a mailed code', () => {
  it('replaces an older one after a minute, with new attempts', async () => {
    const key = newKey()
    expect(await store(key, 'first')).toBe(true)
    await mailCodes.countAttempt(database.db, key, start, 1)
    expect(await store(key, 'second', after(59))).toBe(false)

    expect(await store(key, 'third', after(60))).toBe(true)

    expect(await mailCodes.countAttempt(database.db, key, after(60), 1)).toBe('third')
    expect(await mailCodes.countAttempt(database.db, key, after(60), 1)).toBeUndefined()
  })

  it('is stored once for many concurrent requests', async () => {
    const key = newKey()

    const stored = await Promise.all(Array.from({ length: 20 }, (_, index) => store(key, `code ${index}`)))

    expect(stored.filter(Boolean)).toHaveLength(1)
  })

  it('is used by one of many concurrent requests, and not with another hash', async () => {
    const key = newKey()
    await store(key, 'right')
    expect(await mailCodes.consume(database.db, key, 'wrong', start)).toBe(false)

    const used = await Promise.all(
      Array.from({ length: 20 }, () => mailCodes.consume(database.db, key, 'right', start)),
    )

    expect(used.filter(Boolean)).toHaveLength(1)
    expect(await mailCodes.countAttempt(database.db, key, start, 5)).toBeUndefined()
  })

  it('belongs to one purpose and one user', async () => {
    const key = newKey()
    await store({ ...key, purpose: 'bind', userId: 7 }, 'theirs')

    expect(await mailCodes.countAttempt(database.db, key, start, 5)).toBeUndefined()
    expect(await mailCodes.countAttempt(database.db, { ...key, purpose: 'bind', userId: 8 }, start, 5)).toBeUndefined()
    expect(await mailCodes.countAttempt(database.db, { ...key, purpose: 'bind', userId: 7 }, start, 5)).toBe('theirs')
  })

  it('is removed after it expired, and not before', async () => {
    const [old, young] = [newKey(), newKey()]
    await store(old, 'old')
    await store(young, 'young', after(1))

    await mailCodes.removeExpired(database.db, after(600))

    const left = await database.db.selectFrom('mail_code').select('code_hash').execute()
    expect(left.map(({ code_hash }) => code_hash)).toContain('young')
    expect(left.map(({ code_hash }) => code_hash)).not.toContain('old')
  })
})
