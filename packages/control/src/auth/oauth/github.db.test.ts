import { followAuthorization, type GitHubAccount } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEGACY_LOGIN_ISSUER } from './github.ts'
import { startOAuthSite, type OAuthSite } from '../../../test/oauth-site.ts'

let site: OAuthSite
beforeAll(async () => {
  site = await startOAuthSite()
})
afterAll(() => site.close())

let numbers = 5000
const anAccount = (fields: Partial<GitHubAccount> = {}): GitHubAccount => {
  numbers += 1
  return { id: numbers, login: `hubber${numbers}`, name: null, emails: [], ...fields }
}

async function comeAs(account: GitHubAccount) {
  site.github.be(account)
  const browser = site.newBrowser()
  const { url } = await browser.start('github')
  return (await browser.finish('github', await followAuthorization(url))).json
}

/** An identity imported from an older product. */
async function importedByName(login: string): Promise<number> {
  const { userId } = await site.member()
  await site.db
    .insertInto('identity')
    .values({
      user_id: userId,
      provider: 'github',
      issuer: LEGACY_LOGIN_ISSUER,
      subject: login.toLowerCase(),
      label: login,
    })
    .execute()
  return userId
}

describe('a GitHub account', () => {
  it('stays linked after a rename, and is not available to the new owner of the old name', async () => {
    const account = anAccount({ login: 'octo-cat' })
    const first = await comeAs(account)

    const renamed = await comeAs({ ...account, login: 'octo-dog' })
    const otherUser = await comeAs(anAccount({ login: 'octo-cat' }))

    expect(renamed.data!['id']).toBe(first.data!['id'])
    expect(otherUser.data!['id']).not.toBe(first.data!['id'])
    const { label } = await site.db
      .selectFrom('identity')
      .select('label')
      .where('subject', '=', String(account.id))
      .executeTakeFirstOrThrow()
    expect(label).toBe('octo-dog')
  })

  it('imported by name is migrated to its id by the first login', async () => {
    const userId = await importedByName('Imported')
    const account = anAccount({ login: 'imported' })

    const first = await comeAs(account)
    const renamed = await comeAs({ ...account, login: 'something-else' })
    const otherUser = await comeAs(anAccount({ login: 'imported' }))

    expect([first.data!['id'], renamed.data!['id']]).toEqual([userId, userId])
    expect(otherUser.data!['id']).not.toBe(userId)
    expect(await site.userWith('github', 'imported')).toBeUndefined()
  })

  it('newer than the import cannot use an imported identity', async () => {
    const userId = await importedByName('freed-name')

    const otherUser = await comeAs(
      anAccount({ login: 'freed-name', created_at: new Date(Date.now() + 1000).toISOString() }),
    )
    const owner = await comeAs(anAccount({ login: 'freed-name' }))

    expect(otherUser).toMatchObject({ success: false, code: 'github_name_unproven' })
    expect(owner.data!['id']).toBe(userId)
  })

  it('can use an imported identity only with the verified address of the user', async () => {
    const userId = await importedByName('renamed-to')
    await site.db.updateTable('user').set({ email: 'Owner@example.com' }).where('id', '=', userId).execute()
    const account = (email: string, verified: boolean) =>
      anAccount({ login: 'renamed-to', emails: [{ email, primary: false, verified }] })

    expect(await comeAs(account('thief@example.com', true))).toMatchObject({ code: 'github_name_unproven' })
    expect(await comeAs(account('owner@example.com', false))).toMatchObject({ code: 'github_name_unproven' })
    expect((await comeAs(account('owner@example.com', true))).data!['id']).toBe(userId)
  })

  it('imported by name can be linked again by its owner', async () => {
    const member = await site.member()
    const login = 'back-again'
    await site.db
      .insertInto('identity')
      .values({ user_id: member.userId, provider: 'github', issuer: LEGACY_LOGIN_ISSUER, subject: login, label: login })
      .execute()
    const account = anAccount({ login, created_at: new Date(Date.now() + 1000).toISOString() })
    site.github.be(account)
    const { url } = await member.start('github', { intent: 'bind' })

    expect((await member.finish('github', await followAuthorization(url))).json).toMatchObject({ success: true })
    expect((await comeAs(account)).data!['id']).toBe(member.userId)
  })

  it('gets no access if its id equals an imported name', async () => {
    const account = anAccount()
    const userId = await importedByName(String(account.id))

    expect((await comeAs(account)).data!['id']).not.toBe(userId)
  })

  it('imported by name cannot be linked by another user', async () => {
    await importedByName('taken-name')
    const member = await site.member()
    site.github.be(anAccount({ login: 'Taken-Name' }))
    const { url } = await member.start('github', { intent: 'bind' })

    expect((await member.finish('github', await followAuthorization(url))).json.code).toBe('oauth_already_bound')
  })

  it.each([
    ['no name', { name: null }, 'GitHub User'],
    ['a name of any length', { name: `Ada\u202e ${'Lovelace '.repeat(9)}` }, 'Ada Lovelace Lovelac'],
  ])('has a display name for %s: %s', async (_, fields, displayName) => {
    const { data } = await comeAs(anAccount(fields))

    expect(data).toMatchObject({ display_name: displayName, username: expect.stringMatching(/^github_\w+$/) })
  })

  it('is rejected if its id is invalid', async () => {
    expect(await comeAs(anAccount({ id: '7' as never }))).toMatchObject({ code: 'oauth_bad_answer' })
    expect(await comeAs(anAccount({ id: -7 }))).toMatchObject({ code: 'oauth_bad_answer' })
  })
})

describe('the email address of a new account', () => {
  const emailOf = async (account: GitHubAccount) => {
    await comeAs(account)
    return (await site.userWith('github', String(account.id)))!['email']
  }
  const address = (email: string, fields: { primary?: boolean; verified?: boolean } = {}) => ({
    email,
    primary: true,
    verified: true,
    ...fields,
  })

  it('is the primary one if GitHub has verified it', async () => {
    const emails = [address('second@example.com', { primary: false }), address('First@Example.com')]

    expect(await emailOf(anAccount({ emails }))).toBe('first@example.com')
  })

  it.each([
    ['is not verified', [address('claimed@example.com', { verified: false })]],
    ['is not the primary one', [address('other@example.com', { primary: false })]],
    ['is none', [address('not an address')]],
    ['is too long', [address(`${'x'.repeat(50)}@example.com`)]],
  ])('stays blank when it %s', async (_, emails) => {
    expect(await emailOf(anAccount({ emails }))).toBe('')
  })

  it('stays blank when another user has it, also a deregistered one', async () => {
    const { userId } = await site.member()
    const updateUser = (values: object) => site.db.updateTable('user').set(values).where('id', '=', userId).execute()
    await updateUser({ email: 'mine@example.com' })

    expect(await emailOf(anAccount({ emails: [address('Mine@example.com')] }))).toBe('')
    await updateUser({ deleted_at: new Date() })
    expect(await emailOf(anAccount({ emails: [address('mine@example.com')] }))).toBe('')
  })

  it('stays blank when the site rules reject it', async () => {
    await site.set({ EmailDomainWhitelist: 'harbour.example', EmailDomainRestrictionEnabled: 'true' })

    expect(await emailOf(anAccount({ emails: [address('me@elsewhere.example')] }))).toBe('')

    await site.set({ EmailDomainRestrictionEnabled: 'false' })
  })

  it('stays blank when GitHub does not return it', async () => {
    site.github.fail('down', '/user/emails')

    expect(await emailOf(anAccount({ emails: [address('hidden@example.com')] }))).toBe('')

    site.github.fail(undefined)
  })

  it('is not requested for the next login', async () => {
    const account = anAccount()
    await comeAs(account)
    const calls = site.github.countOf('/api/user/emails')

    await comeAs(account)

    expect(site.github.countOf('/api/user/emails')).toBe(calls)
  })
})
