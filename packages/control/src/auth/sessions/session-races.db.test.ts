import { api } from '@tidegate/contract'
import { users, type Db } from '@tidegate/storage'
import { apiClient, softwarePasskey, type ApiClient } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hashPassword } from '../password/passwords.ts'
import { PASSWORD } from '../../../test/start-site.ts'
import { deregister } from '../../users/manage-user.ts'
import { ADDRESS, errorCode, startSecuritySite, type Client, type SecuritySite } from '../../../test/security-site.ts'

let site: SecuritySite
beforeAll(async () => {
  site = await startSecuritySite()
})
afterAll(() => site.close())
beforeEach(() => site.forgetLimits())

/** Stored sessions of a user. */
const sessionsOf = (client: ApiClient) =>
  site.db.selectFrom('session').select('id_hash').where('user_id', '=', client.userId!).execute()

/** Statements that wait for a lock in this database. */
async function waiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(site.db)
  return rows[0]!.count
}

/**
 * Holds a change of the user before its commit, starts `begin`, waits until it blocks, then commits. Returns the result
 * of `begin`.
 */
async function overtake<Result>(change: (transaction: Db) => Promise<unknown>, begin: () => Promise<Result>) {
  const begun = await site.db.transaction().execute(async (transaction) => {
    await change(transaction)
    const running = begin()
    await expect.poll(waiting).toBeGreaterThan(0)
    return { running } // wrapped: the transaction must not wait for it
  })
  return begun.running
}

/** Changes that revoke the sessions of a user, with the locks of the operations. */
const CHANGES: [string, (client: Client) => (transaction: Db) => Promise<unknown>, string][] = [
  [
    'a new password',
    (client) => async (transaction) => {
      await users.setPasswordHash(transaction, client.userId!, await hashPassword('ebb-and-flow'))
      await transaction.deleteFrom('session').where('user_id', '=', client.userId!).execute()
    },
    'login_ticket_invalid',
  ],
  [
    'a ban',
    (client) => async (transaction) => {
      await users.change(transaction, client.userId!, { status: 2 })
      await transaction.deleteFrom('session').where('user_id', '=', client.userId!).execute()
    },
    'user_banned',
  ],
  [
    'a deregistration',
    (client) => (transaction) => deregister(transaction, client.userId!, new Date()),
    'user_deregistered',
  ],
]

describe.each(CHANGES)('%s that commits during a login', (name, changeOf, secondStepError) => {
  it('leaves no session for the old password', async () => {
    const client = await site.signedIn('user')
    const body = { username: client.username, password: PASSWORD }

    const result = await overtake(changeOf(client), () => errorCode(apiClient(site.url).send(api.login, { body })))

    expect(result).toBe('login_failed')
    expect(await sessionsOf(client)).toEqual([])
  })

  it('leaves no session at the second step', async () => {
    const { client, recoveryCodes } = await site.withTotp()
    const { ticket: login_ticket } = await site.halfLogin(client)

    const result = await overtake(changeOf(client), () => site.finish({ login_ticket, code: recoveryCodes[0] }))

    expect(result).toEqual({ error: secondStepError })
    expect(await sessionsOf(client)).toEqual([])
  })

  it('leaves no passkey session, unless only the password changed', async () => {
    const client = await site.signedIn('user')
    const passkey = await site.addPasskey(client, softwarePasskey(ADDRESS))
    const browser = apiClient(site.url)
    const { ticket, options } = await browser.call(api.askForPasskey, { body: {} })
    const body = { ticket, response: passkey.get(options) }

    const result = await overtake(changeOf(client), () => errorCode(browser.send(api.loginWithPasskey, { body })))

    expect(result).toBe(name === 'a new password' ? undefined : secondStepError)
    expect(await sessionsOf(client)).toHaveLength(name === 'a new password' ? 1 : 0)
  })
})

describe('a login that commits before the change', () => {
  it('is revoked with all other sessions', async () => {
    const client = await site.signedIn('user')
    const admin = await site.signedIn('admin')
    const body = { id: client.userId!, action: 'disable' }

    const [, ...logins] = await Promise.all([
      admin.call(api.manageUser, { body }),
      ...Array.from({ length: 8 }, () =>
        errorCode(apiClient(site.url).send(api.login, { body: { username: client.username, password: PASSWORD } })),
      ),
    ])

    expect(logins).toHaveLength(8)
    expect(await sessionsOf(client)).toEqual([])
  })
})

describe('a session revoked while its request waits', () => {
  it.each(['a passkey', 'two-factor authentication'])('cannot add a credential: %s', async (kind) => {
    const client = await site.signedIn('user')
    const question = await client.call(api.askForNewPasskey)
    const { secret } = await client.call(api.beginTotp)
    const response = softwarePasskey(ADDRESS).create(question.options)
    const add = () => client.send(api.addPasskey, { body: { ticket: question.ticket, response, name: 'late' } })
    const enable = () => client.send(api.enableTotp, { body: { code: site.codeNow(secret) } })
    const [, changeOf] = CHANGES[0]!

    const result = await overtake(changeOf(client), () => errorCode(kind === 'a passkey' ? add() : enable()))

    expect(result).toBe('not_logged_in')
    await client.login(client.username, 'ebb-and-flow')
    expect(await client.call(api.getSecurity)).toMatchObject({ totp: null, passkeys: [] })
  })
})
