import { api } from '@tidegate/contract'
import { findImbalances } from '@tidegate/ledger'
import { apiClient } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startRegistrationSite, type RegistrationSite } from '../../../test/registration-site.ts'

let site: RegistrationSite
beforeAll(async () => {
  site = await startRegistrationSite()
})
afterAll(() => site.close())
beforeEach(() =>
  site.set({
    RegisterEnabled: 'true',
    PasswordRegisterEnabled: 'true',
    EmailVerificationEnabled: 'false',
    AffEnabled: 'true',
    QuotaForNewUser: '0',
    QuotaForInvitee: '0',
    QuotaForInviter: '0',
  }),
)

let names = 0
const newName = () => `person${(names += 1)}`
const register = (fields: Partial<api.Registration>) =>
  site.request('POST', '/api/user/register', { username: newName(), password: 'high-tide-77', ...fields })
const userNamed = (username: string) =>
  site.db.selectFrom('user').selectAll().where('username', '=', username).executeTakeFirst()

describe('registration', () => {
  it('creates an ordinary account without logging in', async () => {
    const response = await register({ username: '  mariner ', email: 'unverified@example.com' })

    expect(response.json).toEqual({ success: true, message: '' })
    expect(response.headers['set-cookie']).toBeUndefined()
    expect(await apiClient(site.url).login('mariner', 'high-tide-77')).toMatchObject({ role: 1, status: 1 })
    expect(await userNamed('mariner')).toMatchObject({
      display_name: 'mariner',
      group: 'default',
      email: '',
      quota: 0,
      inviter_id: null,
      aff_code: expect.stringMatching(/^[2-9A-Z]{8}$/),
    })
  })

  it('rejects a repeated password that differs', async () => {
    const response = await register({ username: 'twopasswords', password2: 'high-tide-78' })

    expect(response.json).toMatchObject({ success: false, code: 'password_mismatch', message: '两次输入的密码不一致' })
    expect(await userNamed('twopasswords')).toBeUndefined()
    expect((await register({ username: 'samepassword', password2: 'high-tide-77' })).json).toMatchObject({
      success: true,
    })
  })

  it('creates one account for fifty concurrent requests with one name', async () => {
    await site.set({ QuotaForNewUser: '1000' })

    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, turn) => register({ username: turn % 2 ? 'CROWDED' : 'crowded' })),
    )

    expect(responses.filter(({ json }) => json.success)).toHaveLength(1)
    const rejected = responses.filter(({ json }) => !json.success)
    expect(rejected.map(({ json }) => json.code)).toEqual(Array.from({ length: 49 }, () => 'username_taken'))
    const rows = await site.db.selectFrom('user').select('quota').where('username', 'ilike', 'crowded').execute()
    expect(rows).toEqual([{ quota: 1000 }])
  })

  it('keeps names of deregistered users reserved', async () => {
    await register({ username: 'gone' })
    await site.db.updateTable('user').set({ deleted_at: new Date() }).where('username', '=', 'gone').execute()

    expect((await register({ username: 'Gone' })).json).toMatchObject({ success: false, code: 'username_taken' })
  })

  it.each([
    [{ username: '' }, 'invalid_input'],
    [{ username: 'thirteen-char' }, 'invalid_input'],
    [{ username: 'a@b.example' }, 'invalid_input'],
    [{ username: 'a\u0000b' }, 'invalid_input'],
    [{ username: 'a\u202eb' }, 'invalid_input'],
    [{ username: 'Root' }, 'username_reserved'],
    [{ username: 'github_12' }, 'username_reserved'],
    [{ password: 'seven77' }, 'invalid_input'],
    [{ password: 'tide'.repeat(33) }, 'invalid_input'],
  ])('rejects %j', async (fields, code) => {
    expect((await register(fields)).json).toMatchObject({ success: false, code })
  })

  it('is disabled by either option, with its own error', async () => {
    await site.set({ PasswordRegisterEnabled: 'false' })
    expect((await register({})).json).toMatchObject({ code: 'password_register_off' })

    await site.set({ RegisterEnabled: 'false' })
    expect((await register({})).json).toMatchObject({ code: 'register_off' })
  })

  it('is limited per address', async () => {
    const from = (remoteAddress: string) =>
      site.app.inject({ method: 'POST', url: '/api/user/register', remoteAddress, payload: { username: '@' } })

    for (let call = 0; call < 20; call += 1) await from('203.0.113.7')

    expect((await from('203.0.113.7')).statusCode).toBe(429)
    expect((await from('203.0.113.8')).statusCode).toBe(200)
  })
})

describe('sign-up credit and invitations', () => {
  it('pay the new user and the inviter once, with log rows', async () => {
    await site.set({ QuotaForNewUser: '500', QuotaForInvitee: '70', QuotaForInviter: '30' })
    await register({ username: 'inviter' })
    const inviter = (await userNamed('inviter'))!

    await register({ username: 'invited', aff_code: ` ${inviter.aff_code} ` })

    const invited = (await userNamed('invited'))!
    expect(invited).toMatchObject({ quota: 570, inviter_id: inviter.id })
    expect(await userNamed('inviter')).toMatchObject({
      quota: 500,
      aff_count: 1,
      aff_quota: 30,
      aff_history_quota: 30,
    })
    const logs = await site.db
      .selectFrom('usage_log')
      .select(['user_id', 'type', 'other'])
      .where('user_id', 'in', [inviter.id, invited.id])
      .orderBy('id')
      .execute()
    expect(logs.map(({ user_id, type, other }) => [user_id, type, (other as { event: string }).event])).toEqual([
      [inviter.id, 4, 'signup_gift'],
      [invited.id, 4, 'signup_gift'],
      [invited.id, 4, 'invite_gift'],
      [inviter.id, 4, 'invite_reward'],
    ])
    expect(await findImbalances(site.db)).toEqual([])
  })

  it('count concurrent invitations', async () => {
    await site.set({ QuotaForInviter: '10' })
    await register({ username: 'popular' })
    const { aff_code } = (await userNamed('popular'))!

    await Promise.all(Array.from({ length: 10 }, () => register({ aff_code })))

    expect(await userNamed('popular')).toMatchObject({ aff_count: 10, aff_quota: 100 })
  })

  it('ignore unknown or malformed codes', async () => {
    for (const aff_code of ['NOBODY22', "'; drop", 'zero\u0000']) {
      const username = newName()
      expect((await register({ username, aff_code })).json).toMatchObject({ success: true })
      expect(await userNamed(username)).toMatchObject({ inviter_id: null })
    }
  })

  it('are disabled by the option', async () => {
    await site.set({ QuotaForInvitee: '70', QuotaForInviter: '30', AffEnabled: 'false' })
    await register({ username: 'idle' })
    const { aff_code } = (await userNamed('idle'))!

    const username = newName()
    await register({ username, aff_code })

    expect(await userNamed(username)).toMatchObject({ quota: 0, inviter_id: null })
    expect(await userNamed('idle')).toMatchObject({ aff_count: 0, aff_quota: 0 })
  })
})

describe('the default token', () => {
  it('is created if configured, unlimited and without expiry', async () => {
    const generous = await startRegistrationSite({ site: { generateDefaultToken: true } })
    try {
      await generous.request('POST', '/api/user/register', { username: 'lucky', password: 'high-tide-77' })

      const client = apiClient(generous.url)
      await client.login('lucky', 'high-tide-77')
      expect(await client.call(api.listTokens)).toMatchObject([
        { name: 'lucky', unlimited_quota: true, expired_time: -1 },
      ])
    } finally {
      await generous.close()
    }
  })

  it('is not created otherwise', async () => {
    await register({ username: 'plain' })

    const { id } = (await userNamed('plain'))!
    expect(await site.db.selectFrom('token').select('id').where('user_id', '=', id).execute()).toEqual([])
  })
})
