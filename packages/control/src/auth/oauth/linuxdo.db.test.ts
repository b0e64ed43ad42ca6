import { followAuthorization, type LinuxDoAccount } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startOAuthSite, type OAuthSite } from '../../../test/oauth-site.ts'

let site: OAuthSite
beforeAll(async () => {
  site = await startOAuthSite()
})
afterAll(() => site.close())
afterEach(() => site.set({ LinuxDOMinimumTrustLevel: '0' }))

let numbers = 7000
const anAccount = (fields: Partial<LinuxDoAccount> = {}): LinuxDoAccount => {
  numbers += 1
  const account = { id: numbers, username: `forum${numbers}`, name: '', active: true, trust_level: 1, silenced: false }
  return { ...account, ...fields }
}

async function comeAs(account: LinuxDoAccount) {
  site.linuxDo.be(account)
  const browser = site.newBrowser()
  const { url } = await browser.start('linuxdo')
  return (await browser.finish('linuxdo', await followAuthorization(url))).json
}

describe('a LinuxDO account', () => {
  it('is registered with the provider prefix', async () => {
    const { data } = await comeAs(anAccount({ name: 'Forum Friend' }))

    expect(data).toMatchObject({ username: expect.stringMatching(/^linuxdo_\w+$/), display_name: 'Forum Friend' })
  })

  it.each([
    ['inactive', { active: false }],
    ['silenced', { silenced: true }],
  ])('is rejected if it is %s, new or known', async (_, state) => {
    const account = anAccount()
    const member = await site.member()

    expect(await comeAs({ ...account, ...state })).toMatchObject({ success: false, code: 'linuxdo_inactive' })
    expect(await comeAs(account)).toMatchObject({ success: true })
    expect(await comeAs({ ...account, ...state })).toMatchObject({ success: false, code: 'linuxdo_inactive' })

    site.linuxDo.be(anAccount(state))
    const { url } = await member.start('linuxdo', { intent: 'bind' })
    expect((await member.finish('linuxdo', await followAuthorization(url))).json.code).toBe('linuxdo_inactive')
  })

  it('needs the configured trust level to register and to log in', async () => {
    const account = anAccount({ trust_level: 1 })
    await comeAs(account)
    await site.set({ LinuxDOMinimumTrustLevel: '2' })

    const known = await comeAs(account)

    expect(known).toMatchObject({ code: 'trust_level_low', message: expect.stringContaining('2') })
    expect(await comeAs(anAccount({ trust_level: 1 }))).toMatchObject({ code: 'trust_level_low' })
    expect(await comeAs({ ...account, trust_level: 2 })).toMatchObject({ success: true })
  })

  it('is rejected when the provider does not accept our secret', async () => {
    await site.set({ LinuxDOClientSecret: 'another-secret' })

    expect(await comeAs(anAccount())).toMatchObject({ code: 'oauth_bad_answer' })

    await site.set({ LinuxDOClientSecret: 'gate-secret-0123456789' })
  })
})
