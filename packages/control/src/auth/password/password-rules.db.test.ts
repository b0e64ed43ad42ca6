import { api } from '@tidegate/contract'
import { apiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, startTestSite } from '../../../test/start-site.ts'
import { issueCode } from '../registration/verification.ts'
import { startRegistrationSite, type RegistrationSite } from '../../../test/registration-site.ts'

let site: RegistrationSite
beforeAll(async () => {
  site = await startRegistrationSite()
  await site.set({ SystemName: 'Harbour Gate' })
})
afterAll(() => site.close())

let names = 0
const newName = () => `sailor${(names += 1)}x`
const codeOf = async (response: Promise<{ envelope: object }>) => ((await response).envelope as { code?: string }).code
const register = async (password: string, username = newName()) =>
  (await site.request('POST', '/api/user/register', { username, password })).json.code

/** All places where a password is set, with their error. */
const PLACES: [string, (password: string) => Promise<string | undefined>][] = [
  ['a registration', (password) => register(password)],
  [
    'a change of the own password',
    async (password) => {
      const user = await site.signedIn('user')
      return codeOf(user.send(api.updateSelf, { body: { password, original_password: PASSWORD } }))
    },
  ],
  [
    'a reset by mail',
    async (password) => {
      const { userId } = await site.signedIn('user')
      const email = `${newName()}@example.com`
      await site.db.updateTable('user').set({ email }).where('id', '=', userId!).execute()
      const token = 'a'.repeat(32)
      await issueCode(site.deps, { purpose: 'reset', address: email, userId: 0 }, token, '127.0.0.1')
      return codeOf(apiClient(site.url).send(api.resetPassword, { body: { email, token, password } }))
    },
  ],
  [
    'an account made by an administrator',
    (password) => codeOf(site.root.send(api.createUser, { body: { username: newName(), password } })),
  ],
  [
    'the password of another user',
    async (password) => {
      const { userId: id, username } = await site.signedIn('user')
      return codeOf(site.root.send(api.updateUser, { body: { id: id!, username, password } }))
    },
  ],
]

describe.each(PLACES)('%s', (_, setPassword) => {
  it.each(['password', 'Password', '12345678', 'qwertyuiop', 'aaaaaaaa', 'abababab', 'ｐａｓｓｗｏｒｄ'])(
    'rejects the common password %s',
    async (password) => {
      expect(await setPassword(password)).toBe('password_common')
    },
  )

  it.each(['HarbourGate', 'harbour-gate', 'HarbourGate2026'])(
    'rejects %s, which is the name of the site',
    async (password) => {
      expect(await setPassword(password)).toBe('password_like_name')
    },
  )

  it('rejects 7 and 129 characters', async () => {
    const long = 'tide and ebb '.repeat(10).slice(0, 129)

    expect([await setPassword('a-tide7'), await setPassword(long)]).toEqual(['invalid_input', 'invalid_input'])
  })

  it('accepts a long passphrase', async () => {
    expect(await setPassword('the correct horse of a battery staple')).toBeUndefined()
    expect(await setPassword('tide and ebb '.repeat(10).slice(0, 128))).toBeUndefined()
  })
})

describe('a password like the username', () => {
  it('is rejected on registration, change and reset', async () => {
    expect(await register('Barnacle-77', 'barnacle')).toBe('password_like_name')

    const user = await site.signedIn('user')
    const password = `${user.username}!`
    const change = user.send(api.updateSelf, { body: { password, original_password: PASSWORD } })
    expect(await codeOf(change)).toBe('password_like_name')
  })

  it('is not revealed without a valid reset link', async () => {
    const email = 'quiet@example.com'
    const { userId, username } = await site.signedIn('user')
    await site.db.updateTable('user').set({ email }).where('id', '=', userId!).execute()

    const body = { email, token: 'b'.repeat(32), password: `${username}-1` }
    expect(await codeOf(apiClient(site.url).send(api.resetPassword, { body }))).toBe('reset_link_invalid')
  })
})

describe('a password with composed characters', () => {
  it('works in both Unicode forms', async () => {
    const username = newName()
    expect(await register('dépôt-marée-7'.normalize('NFD'), username)).toBeUndefined()

    for (const form of ['NFC', 'NFD'] as const) {
      await apiClient(site.url).login(username, 'dépôt-marée-7'.normalize(form))
    }
  })
})

it('lets users with an older, weaker password log in', async () => {
  const user = await site.signedIn('user')
  const { hash } = await import('@node-rs/argon2')
  const password_hash = await hash('ｐａｓｓ', { memoryCost: 8, timeCost: 1, parallelism: 1 })
  await site.db.updateTable('user').set({ password_hash }).where('id', '=', user.userId!).execute()

  await user.login(user.username, 'ｐａｓｓ')
})

it('applies to the super admin of a new site', async () => {
  const fresh = await startTestSite()
  const setUp = (password: string) => {
    const payload = { username: 'operator', password, confirmPassword: password }
    return fresh.app
      .inject({ method: 'POST', url: '/api/setup', payload, headers: { host: 'localhost' } })
      .then((response) => response.json<{ code?: string }>().code)
  }

  expect(await setUp('password1')).toBe('password_common')
  expect(await setUp('operator-1')).toBe('password_like_name')
  expect(await setUp('x'.repeat(129))).toBe('setup_password_long')
  expect(await setUp('the tide is rising slowly')).toBeUndefined()
  await fresh.close()
})
