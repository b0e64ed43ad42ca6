import { findImbalances } from '@tidegate/ledger'
import { auditEvents } from '@tidegate/storage'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newOAuthUser, signInWithOAuth, startOAuthSite, type OAuthSite } from '../../../test/oauth-site.ts'

let site: OAuthSite
beforeAll(async () => {
  site = await startOAuthSite({ site: { generateDefaultToken: true } })
})
afterAll(() => site.close())
afterEach(() =>
  site.set({
    RegisterEnabled: 'true',
    SelfUseModeEnabled: 'false',
    PasswordRegisterEnabled: 'true',
    AffEnabled: 'true',
    QuotaForNewUser: '0',
    QuotaForInvitee: '0',
    QuotaForInviter: '0',
  }),
)

const countUsers = async () =>
  (
    await site.db
      .selectFrom('user')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count
const inviteCodeOf = async (userId: number) =>
  (await site.db.selectFrom('user').select('aff_code').where('id', '=', userId).executeTakeFirstOrThrow()).aff_code

describe('an account registered with OAuth', () => {
  it.each(['аdmin', 'r00t', 'sуstem', 'ａdmin', 'gіthub_1'])(
    'does not get the name %s, which looks reserved',
    async (name) => {
      const person = newOAuthUser(site, 'linuxdo', name)

      await signInWithOAuth(site.newBrowser(), 'linuxdo', person)

      expect(await site.userWith('linuxdo', person.subject)).toMatchObject({
        username: expect.stringMatching(/^linuxdo_/),
      })
    },
  )

  it('does not get a look-alike name', async () => {
    const { userId } = await site.member()
    await site.db.updateTable('user').set({ username: 'navigator' }).where('id', '=', userId).execute()
    const person = newOAuthUser(site, 'linuxdo', 'nаvigatоr')

    await signInWithOAuth(site.newBrowser(), 'linuxdo', person)

    expect(await site.userWith('linuxdo', person.subject)).toMatchObject({
      username: expect.stringMatching(/^linuxdo_/),
    })
  })

  it('gets the sign-up credit, and the inviter the reward', async () => {
    await site.set({ QuotaForNewUser: '500', QuotaForInvitee: '70', QuotaForInviter: '30' })
    const inviter = await site.member()
    const person = newOAuthUser(site, 'github')

    const { json } = await signInWithOAuth(site.newBrowser(), 'github', person, {
      aff: ` ${await inviteCodeOf(inviter.userId)} `,
    })

    const userId = json.data!['id'] as number
    expect(await site.userWith('github', person.subject)).toMatchObject({
      id: userId,
      quota: 570,
      inviter_id: inviter.userId,
      role: 1,
      status: 1,
      group: 'default',
    })
    const rewarded = await site.db.selectFrom('user').selectAll().where('id', '=', inviter.userId).executeTakeFirst()
    expect(rewarded).toMatchObject({ aff_count: 1, aff_quota: 30, aff_history_quota: 30 })
    const actions = (await auditEvents.page(site.db, { subject: String(userId) }, { limit: 9, offset: 0 })).map(
      ({ action, details }) => [action, details],
    )
    expect(actions).toEqual([
      ['user.login', { method: 'github' }],
      ['user.register', {}],
    ])
    expect(await site.db.selectFrom('token').select('name').where('user_id', '=', userId).execute()).toHaveLength(1)
    expect(await findImbalances(site.db)).toEqual([])
  })

  it('has no inviter while invitations are disabled', async () => {
    await site.set({ AffEnabled: 'false' })
    const inviter = await site.member()
    const person = newOAuthUser(site, 'linuxdo')

    await signInWithOAuth(site.newBrowser(), 'linuxdo', person, { aff: await inviteCodeOf(inviter.userId) })

    expect(await site.userWith('linuxdo', person.subject)).toMatchObject({ inviter_id: null })
  })

  it.each([
    ['RegisterEnabled', 'false'],
    ['SelfUseModeEnabled', 'true'],
  ] as const)('is rejected with %s %s, but existing accounts can log in', async (key, value) => {
    const known = newOAuthUser(site, 'github')
    await signInWithOAuth(site.newBrowser(), 'github', known)
    const before = await countUsers()
    await site.set({ [key]: value })

    expect((await signInWithOAuth(site.newBrowser(), 'github', newOAuthUser(site, 'github'))).json.code).toBe(
      'register_off',
    )
    expect((await site.newBrowser().get('/api/oauth/wechat', { code: site.weChat.issue('wx-closed') })).json.code).toBe(
      'register_off',
    )
    expect((await signInWithOAuth(site.newBrowser(), 'github', known)).json.success).toBe(true)
    expect(await countUsers()).toBe(before)
  })

  it('is possible while password registration is disabled', async () => {
    await site.set({ PasswordRegisterEnabled: 'false' })

    expect((await signInWithOAuth(site.newBrowser(), 'github', newOAuthUser(site, 'github'))).json.success).toBe(true)
  })

  it('is created once for twenty concurrent logins of one profile', async () => {
    await site.set({ QuotaForNewUser: '1000' })
    const person = newOAuthUser(site, 'github')
    const arrivals = []
    for (let turn = 0; turn < 20; turn += 1) {
      const browser = site.newBrowser()
      const { url } = await browser.start('github')
      arrivals.push({ browser, back: await person.approve(url) })
    }
    const before = await countUsers()

    const responses = await Promise.all(arrivals.map(({ browser, back }) => browser.finish('github', back)))

    expect(responses.map(({ json }) => json.success)).toEqual(Array.from({ length: 20 }, () => true))
    expect(new Set(responses.map(({ json }) => json.data!['id'])).size).toBe(1)
    expect(await countUsers()).toBe(before + 1)
    expect(await site.userWith('github', person.subject)).toMatchObject({ quota: 1000 })
    expect(await findImbalances(site.db)).toEqual([])
  })

  it('gets a unique name for twenty concurrent profiles', async () => {
    const arrivals = []
    for (let turn = 0; turn < 20; turn += 1) {
      const browser = site.newBrowser()
      const { url } = await browser.start('linuxdo')
      arrivals.push({ browser, back: await newOAuthUser(site, 'linuxdo').approve(url) })
    }

    const responses = await Promise.all(arrivals.map(({ browser, back }) => browser.finish('linuxdo', back)))

    const names = responses.map(({ json }) => String(json.data!['username']))
    expect(new Set(names).size).toBe(20)
    expect(names.filter((name) => name.length > 12)).toEqual([])
  })

  it('is either registered or linked for one profile, never both', async () => {
    const person = newOAuthUser(site, 'github')
    const members = await Promise.all(Array.from({ length: 5 }, () => site.member()))
    const newcomer = site.newBrowser()
    const trips = []
    for (const browser of [...members, newcomer]) {
      const { url } = await browser.start('github', { intent: browser === newcomer ? 'login' : 'bind' })
      trips.push({ browser, back: await person.approve(url) })
    }

    const responses = await Promise.all(trips.map(({ browser, back }) => browser.finish('github', back)))

    const bound = responses.slice(0, 5).filter(({ json }) => json.success)
    expect(bound.length).toBeLessThanOrEqual(1)
    const owner = (await site.userWith('github', person.subject))!['id'] as number
    expect(responses[5]!.json).toMatchObject({ success: true, data: { id: owner } })
    expect(members.some(({ userId }) => userId === owner)).toBe(bound.length === 1)
    expect(responses.map(({ json }) => json.code).filter(Boolean)).toEqual(
      Array.from({ length: 5 - bound.length }, () => 'oauth_already_bound'),
    )
  })
})
