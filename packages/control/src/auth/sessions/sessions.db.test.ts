import { api, type RoleName } from '@tidegate/contract'
import { users } from '@tidegate/storage'
import { apiClient, type ApiClient } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientWithToken, createAutomationClient } from '../../../test/automation-client.ts'
import { PASSWORD, startTestSite, type TestSite } from '../../../test/start-site.ts'
import { revokeAccess } from './sessions.ts'
import { issueCode } from '../registration/verification.ts'

type Client = ApiClient & { username: string }

let site: TestSite
let root: Client
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
})
afterAll(() => site.close())

const NEW_PASSWORD = 'ebb-and-flow-7'
const codeOf = ({ envelope }: Awaited<ReturnType<ApiClient['send']>>) => ('code' in envelope ? envelope.code : '')
const manage = async (owner: Client, action: string) =>
  void (await root.call(api.manageUser, { body: { id: owner.userId!, action } }))

async function resetByMail({ userId, username }: Client): Promise<void> {
  const address = `${username}@example.com`
  await site.db.updateTable('user').set({ email: address }).where('id', '=', userId!).execute()
  const token = 'a'.repeat(32)
  await issueCode(site.deps, { purpose: 'reset', address, userId: 0 }, token, '127.0.0.1')
  await apiClient(site.url).call(api.resetPassword, { body: { email: address, token, password: NEW_PASSWORD } })
}

/** All credentials of an account. */
async function stolenFrom(owner: Client) {
  const browser = apiClient(site.url)
  await browser.login(owner.username, PASSWORD)
  const accessToken = await owner.call(api.renewAccessToken)
  const headers = { authorization: `Bearer ${accessToken}`, 'tidegate-user': String(owner.userId) }
  const robot = await createAutomationClient(owner, ['account:read'])
  return [
    () => browser.send(api.getSelf),
    () => apiClient(site.url).send(api.getSelf, { headers }),
    () => robot.send(api.getSelf),
  ]
}

const ENDS: [string, RoleName, (owner: Client) => Promise<unknown>][] = [
  [
    'a new password',
    'user',
    (owner) => owner.call(api.updateSelf, { body: { password: NEW_PASSWORD, original_password: PASSWORD } }),
  ],
  [
    'a new password that an administrator sets',
    'user',
    ({ userId, username }) => root.call(api.updateUser, { body: { id: userId!, username, password: NEW_PASSWORD } }),
  ],
  ['a password that is reset by mail', 'user', resetByMail],
  ['signing out everywhere', 'user', (owner) => owner.call(api.endAllSessions)],
  ['a ban', 'user', (owner) => manage(owner, 'disable')],
  ['a ban that was taken back', 'user', (owner) => manage(owner, 'disable').then(() => manage(owner, 'enable'))],
  ['a promotion', 'user', (owner) => manage(owner, 'promote')],
  ['a demotion', 'admin', (owner) => manage(owner, 'demote')],
  ['a reset of second factors', 'user', (owner) => manage(owner, 'reset_security')],
  ['a deregistration by an administrator', 'user', (owner) => manage(owner, 'delete')],
  ['a deregistration', 'user', (owner) => owner.call(api.deleteSelf, { query: { username: owner.username } })],
]

describe.each(ENDS)('%s', (_, role, end) => {
  it('revokes sessions, access token and automation tokens of this account only', async () => {
    const [owner, other] = [await site.signedIn(role), await site.signedIn(role)]
    const [stolen, unharmed] = [await stolenFrom(owner), await stolenFrom(other)]
    for (const use of [...stolen, ...unharmed]) expect(codeOf(await use())).toBe('')

    await end(owner)

    const codes = await Promise.all(stolen.map(async (use) => codeOf(await use())))
    expect(codes).toEqual(['not_logged_in', 'access_token_invalid', 'access_token_invalid'])
    for (const use of unharmed) expect(codeOf(await use())).toBe('')
    for (const table of ['access_token', 'automation_token'] as const) {
      const left = await site.db.selectFrom(table).select('user_id').where('user_id', '=', owner.userId!).execute()
      expect(left).toEqual([])
    }
  })
})

it('API tokens stay valid', async () => {
  const owner = await site.signedIn('user')
  const [token] = await owner.call(api.createToken, { body: { name: 'program' } })

  await owner.call(api.updateSelf, { body: { password: NEW_PASSWORD, original_password: PASSWORD } })

  expect(await owner.call(api.getToken, { path: { id: token!.id } })).toMatchObject({ status: 1 })
})

type Make = (owner: Client) => Promise<() => ReturnType<ApiClient['send']>>
const RACES: [string, Make, string][] = [
  [
    'an automation token',
    async (owner) => () => owner.send(api.createAutomationToken, { body: { name: 'late', scopes: ['account:read'] } }),
    'not_logged_in',
  ],
  ['an access token', async (owner) => () => owner.send(api.createAccessToken), 'not_logged_in'],
  [
    'an access token in place of another',
    async (owner) => {
      const robot = clientWithToken(site.url, await owner.call(api.createAccessToken))
      const headers = { 'tidegate-user': String(owner.userId) }
      return () => robot.send(api.createAccessToken, { headers })
    },
    'access_token_invalid',
  ],
]

it.each(RACES)('%s created during a password change does not survive it', async (_, make, code) => {
  const owner = await site.signedIn('user')
  const begin = await make(owner)
  const made = await site.db.transaction().execute(async (transaction) => {
    await users.setPasswordHash(transaction, owner.userId!, 'another')
    const making = begin()
    await expect.poll(waiting).toBeGreaterThan(0)
    await revokeAccess(transaction, owner.userId!)
    return { making } // wrapped: the transaction must not wait for it
  })

  expect(codeOf(await made.making)).toBe(code)
})

/** Statements that wait for a lock in this database. */
async function waiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(site.db)
  return rows[0]!.count
}
