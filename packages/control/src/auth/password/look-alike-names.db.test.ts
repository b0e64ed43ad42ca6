import { api } from '@tidegate/contract'
import { apiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../../../test/start-site.ts'
import { startRegistrationSite, type RegistrationSite } from '../../../test/registration-site.ts'

let site: RegistrationSite
beforeAll(async () => {
  site = await startRegistrationSite()
})
afterAll(() => site.close())

const register = async (username: string) =>
  (await site.request('POST', '/api/user/register', { username, password: 'high-tide-77' })).json.code

/** Creates an administrator with this name. */
async function administrator(username: string): Promise<void> {
  const { userId } = await site.signedIn('admin')
  await site.db.updateTable('user').set({ username }).where('id', '=', userId!).execute()
}

describe('a look-alike username', () => {
  it.each([
    ['Cyrillic letters', 'аdmin'],
    ['Greek letters', 'rοοt'],
    ['full-width letters', 'ａｄｍｉｎ'],
    ['mathematical letters', '𝐫𝐨𝐨𝐭'],
    ['a zero', 'r00t'],
    ['a one', 'adm1n'],
    ['the letter l', 'admln'],
    ['small capitals', 'ѕyѕтᴇm'],
    ['a variation selector', 'admin\ufe0f'],
    ['a Hangul filler', 'root\u3164'],
    ['the prefix of a service', 'gіthub_77'],
  ])('cannot imitate a reserved name with %s', async (_, username) => {
    expect(await register(username)).toBe('username_reserved')
  })

  it.each([
    ['Cyrillic letters', 'mаrinеr'],
    ['another case', 'MARINER'],
    ['a one for an i', 'mar1ner'],
    ['full-width letters', 'ｍａｒｉｎｅｒ'],
  ])('cannot imitate an administrator with %s', async (_, username) => {
    if (!(await site.db.selectFrom('user').select('id').where('username', '=', 'mariner').executeTakeFirst())) {
      await administrator('mariner')
    }
    expect(['username_confusable', 'username_taken']).toContain(await register(username))
  })

  it('cannot imitate a user or a deregistered user', async () => {
    expect(await register('helmsman')).toBeUndefined()
    expect(await register('heImsman')).toBe('username_confusable')
    await site.db.updateTable('user').set({ deleted_at: new Date() }).where('username', '=', 'helmsman').execute()

    expect(await register('hеlmsmаn')).toBe('username_confusable')
    expect(await register('Helmsman')).toBe('username_taken')
  })

  it('is given to one of several concurrent registrations', async () => {
    const codes = await Promise.all(['boatswain', 'bоatswain', 'boаtswain', 'b0atswain', 'boatswaln'].map(register))

    expect(codes.filter((code) => code === undefined)).toHaveLength(1)
  })

  it('is rejected for a rename', async () => {
    await administrator('quartermastr')
    const user = await site.signedIn('user')
    const rename = async (username: string) =>
      ((await user.send(api.updateSelf, { body: { username } })).envelope as { code?: string }).code

    expect(await rename('quаrtermаstr')).toBe('username_confusable')
    expect(await rename('sуstem')).toBe('username_reserved')
    expect(await rename(user.username.toUpperCase())).toBeUndefined()
  })
})

it('stores a username in NFKC', async () => {
  expect(await register('Ｌｏｏｋｏｕｔ')).toBeUndefined()

  expect(await apiClient(site.url).login('lookout', 'high-tide-77')).toMatchObject({ username: 'Lookout' })
})

it.each(['мичман', '船长', 'Μαρία', 'Ünal', 'Zoë'])('accepts %s, which looks like no other name', async (name) => {
  expect(await register(name)).toBeUndefined()
})

it('logs in users whose existing names look alike', async () => {
  const [one, other] = [await site.signedIn('user'), await site.signedIn('user')]
  for (const [client, username] of [
    [one, 'pilot'],
    [other, 'рilot'],
  ] as const) {
    await site.db.updateTable('user').set({ username }).where('id', '=', client.userId!).execute()
    expect(await client.login(username, PASSWORD)).toMatchObject({ username })
  }
})
