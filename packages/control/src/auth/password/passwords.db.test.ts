import { api } from '@tidegate/contract'
import { apiClient } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../../test/start-site.ts'

/** Hash of `correct horse 42`, as written by products in Go. */
const BCRYPT = '$2a$10$axyhcIg./AoHFHnjURRMIe0gzE9tTjhvf5bPPMdQDvHnZ5lD9x80u'
const PASSWORD = 'correct horse 42'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
})
afterAll(() => site.close())

async function movedIn(stored = BCRYPT): Promise<string> {
  const { username } = await site.signedIn('user')
  await site.db.updateTable('user').set({ password_hash: stored }).where('username', '=', username).execute()
  return username
}

async function hashOf(username: string): Promise<string | null> {
  const query = site.db.selectFrom('user').select('password_hash').where('username', '=', username)
  return (await query.executeTakeFirstOrThrow()).password_hash
}

it('accepts an imported hash and replaces it', async () => {
  const username = await movedIn()

  await apiClient(site.url).login(username, PASSWORD)

  expect(await hashOf(username)).toMatch(/^\$argon2id\$/)
  await apiClient(site.url).login(username, PASSWORD)
})

it('accepts concurrent logins', async () => {
  const username = await movedIn()

  const logins = Array.from({ length: 3 }, () => apiClient(site.url).login(username, PASSWORD))

  expect((await Promise.all(logins)).map((user) => user.username)).toEqual([username, username, username])
})

it('rejects a wrong password and keeps the hash, also a damaged one', async () => {
  for (const stored of [BCRYPT, '$2a$10$cut-short']) {
    const username = await movedIn(stored)

    const { envelope } = await apiClient(site.url).send(api.login, { body: { username, password: 'wrong password' } })

    expect(envelope).toMatchObject({ success: false, code: 'login_failed' })
    expect(await hashOf(username)).toBe(stored)
  }
})
