import { api } from '@tidegate/contract'
import { memoryLimiter } from '@tidegate/storage'
import { addToken, apiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let root: Client
beforeAll(async () => {
  // The rate limit clock stands still: on a slow machine a delay could otherwise pass before the next attempt.
  site = await startTestSite({ limiter: memoryLimiter({ now: () => 0 }) })
  await site.initialise()
  root = await site.signedIn('root')
})
afterAll(() => site.close())

type Client = Awaited<ReturnType<TestSite['signedIn']>>

const NEW = 'ebb-and-flow'
const codeOf = async (result: Promise<{ envelope: object }>) => ((await result).envelope as { code?: string }).code

describe('changing the own username', () => {
  it('works once in thirty days and is logged', async () => {
    const client = await site.signedIn('user')

    await client.call(api.updateSelf, { body: { username: 'limpet', display_name: 'Limpet' } })

    expect(await client.call(api.getSelf)).toMatchObject({ username: 'limpet', display_name: 'Limpet' })
    expect((await client.call(api.listOwnLogs)).items).toMatchObject([{ type: 4, username: 'limpet' }])
    expect(await codeOf(client.send(api.updateSelf, { body: { username: 'whelk' } }))).toBe('username_changed_recently')
    await site.db
      .updateTable('audit_event')
      .set({ created_at: new Date(Date.now() - 31 * 86_400_000) })
      .execute()
    await client.call(api.updateSelf, { body: { username: 'whelk' } })
  })

  it('works once for concurrent requests', async () => {
    const client = await site.signedIn('user')

    const codes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        codeOf(client.send(api.updateSelf, { body: { username: `r${index}` } })),
      ),
    )

    expect(codes.filter((code) => code === undefined)).toHaveLength(1)
    expect(codes.filter((code) => code === 'username_changed_recently')).toHaveLength(9)
  })

  it.each([
    ['Admin', 'username_reserved'],
    ['github_7', 'username_reserved'],
    ['x'.repeat(13), 'invalid_input'],
    ['a@b', 'invalid_input'],
  ])('rejects %o', async (username, code) => {
    expect(await codeOf((await site.signedIn('user')).send(api.updateSelf, { body: { username } }))).toBe(code)
  })

  it('rejects a name that is or was taken, and keeps the name when it is blank', async () => {
    const [client, other] = [await site.signedIn('user'), await site.signedIn('user')]
    const taken = { username: other.username.toUpperCase() }

    expect(await codeOf(client.send(api.updateSelf, { body: taken }))).toBe('username_taken')
    await client.call(api.updateSelf, { body: { username: '', display_name: 'Barnacle', password: '' } })
    expect(await client.call(api.getSelf)).toMatchObject({ username: client.username, display_name: 'Barnacle' })
  })
})

describe('changing the own password', () => {
  it('revokes all other sessions and starts a new one', async () => {
    const client = await site.signedIn('user')
    const elsewhere = apiClient(site.url)
    await elsewhere.login(client.username, PASSWORD)
    const [before] = await sessionsOf(client)

    await client.call(api.updateSelf, { body: { password: NEW } })

    expect((await elsewhere.send(api.getSelf)).response.status).toBe(401)
    expect(await client.call(api.getSelf)).toMatchObject({ id: client.userId })
    expect(await sessionsOf(client)).toHaveLength(1)
    expect(await sessionsOf(client)).not.toContain(before)
    await elsewhere.login(client.username, NEW)
  })

  it('requires the old password when the login is older than ten minutes', async () => {
    const client = await site.signedIn('user')
    await age(client)
    const change = (original_password?: string) =>
      codeOf(client.send(api.updateSelf, { body: { password: NEW, original_password } }))

    expect(await change()).toBe('original_password_required')
    expect(await change('not this one')).toBe('original_password_wrong')
    expect(await change(PASSWORD)).toBeUndefined()
  })

  it('delays guesses of the old password, also concurrent ones', async () => {
    const client = await site.signedIn('user')
    const guess = () => codeOf(client.send(api.updateSelf, { body: { password: NEW, original_password: 'guess' } }))

    const codes = await Promise.all(Array.from({ length: 30 }, guess))

    expect(codes.filter((code) => code === 'original_password_wrong').length).toBeLessThanOrEqual(5)
    expect(codes.filter((code) => code === 'login_delayed').length).toBeGreaterThanOrEqual(25)
  })

  it('requires the old password with an access token', async () => {
    const client = await site.signedIn('user')
    const authorization = await client.call(api.createAccessToken)
    const headers = { authorization, cookie: '' }

    expect(await codeOf(client.send(api.updateSelf, { headers, body: { password: NEW } }))).toBe(
      'original_password_required',
    )
  })

  it('writes an inbox message and an audit event without the password', async () => {
    const client = await site.signedIn('user')

    await client.call(api.updateSelf, { body: { password: NEW } })

    const messages = await site.db
      .selectFrom('message')
      .innerJoin('message_recipient', 'message_recipient.message_id', 'message.id')
      .select('title')
      .where('user_id', '=', client.userId!)
      .execute()
    expect(messages).toEqual([{ title: '你的密码已修改' }])
    const trail = await site.db
      .selectFrom('audit_event')
      .selectAll()
      .where('actor_id', '=', client.userId!)
      .where('action', '=', 'user.password')
      .execute()
    expect(trail).toHaveLength(1)
    expect(JSON.stringify(trail)).not.toContain(NEW)
  })
})

describe('deregistering the own account', () => {
  it('ends the session, revokes the tokens and keeps the username reserved', async () => {
    const client = await site.signedIn('user')
    await addToken(client)

    await client.call(api.deleteSelf, { query: { username: client.username } })

    expect((await client.send(api.getSelf)).response.status).toBe(401)
    const tokens = await site.db
      .selectFrom('token')
      .select('deleted_at')
      .where('user_id', '=', client.userId!)
      .execute()
    expect(tokens).toEqual([{ deleted_at: expect.any(Date) }])
    await expect(apiClient(site.url).login(client.username, PASSWORD)).rejects.toMatchObject({ code: 'login_failed' })
  })

  it('rejects another name, an old login and the super admin', async () => {
    const client = await site.signedIn('user')

    expect(await codeOf(client.send(api.deleteSelf, { query: { username: 'alex' } }))).toBe('account_name_differs')
    await age(client)
    expect(await codeOf(client.send(api.deleteSelf))).toBe('proof_required')
    expect(await codeOf(root.send(api.deleteSelf))).toBe('root_protected')
    await client.login(client.username, PASSWORD)
    expect(await codeOf(client.send(api.deleteSelf))).toBeUndefined()
  })
})

describe('the system access token', () => {
  it('is shown once, stored as a hash, and has the rights of the session', async () => {
    const client = await site.signedIn('user')

    const token = await client.call(api.renewAccessToken)

    expect(token).toMatch(/^tga_[A-Za-z0-9]{28}$/)
    const row = await site.db.selectFrom('access_token').selectAll().where('user_id', '=', client.userId!).execute()
    expect(JSON.stringify(row)).not.toContain(token)
    expect(await client.call(api.getAccessToken)).toMatchObject({ last_four: token.slice(-4), last_used_at: null })
    expect(await by(token, client)).toBe(200)
    expect((await client.call(api.getAccessToken))?.last_used_at).not.toBeNull()
  })

  it('is replaced by the next one and invalid after revocation', async () => {
    const client = await site.signedIn('user')
    const first = await client.call(api.renewAccessToken)
    const second = await client.call(api.createAccessToken)

    expect(await by(first, client)).toBe(401)
    expect(await by(second, client)).toBe(200)
    await client.call(api.revokeAccessToken)
    expect(await by(second, client)).toBe(401)
    expect(await client.call(api.getAccessToken)).toBeNull()
  })

  it.each(['cross-site', 'same-site', 'none'])('is rejected for a request marked as %s', async (from) => {
    const client = await site.signedIn('user')

    expect(await codeOf(client.send(api.renewAccessToken, { headers: { 'sec-fetch-site': from } }))).toBe(
      'cross_site_refused',
    )
    expect(await client.call(api.getAccessToken)).toBeNull()
  })
})

it('demo sites reject all changes of users, also the GET that creates a token, but allow logging out', async () => {
  const client = await site.signedIn('user')
  const setDemo = (value: string) => root.call(api.updateOption, { body: { key: 'DemoSiteEnabled', value } })
  await setDemo('true')

  expect(await codeOf(client.send(api.renewAccessToken))).toBe('demo_site')
  expect(await codeOf(client.send(api.updateSelf, { body: { display_name: 'Vandal' } }))).toBe('demo_site')
  expect(await client.call(api.getAccessToken)).toBeNull()
  await client.call(api.logout)
  await setDemo('false')
})

describe('own sessions', () => {
  it('are listed with their location and can be ended one by one', async () => {
    const client = await site.signedIn('user')
    const elsewhere = apiClient(site.url)
    await elsewhere.login(client.username, PASSWORD)

    const sessions = await client.call(api.listSessions)
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    expect(sessions).toHaveLength(2)
    expect(sessions[0]!.client_ip).toBe('127.0.0.1')
    await client.call(api.endSession, { path: { hash: sessions.find(({ current }) => !current)!.id } })

    expect((await elsewhere.send(api.getSelf)).response.status).toBe(401)
    expect(await client.call(api.listSessions)).toMatchObject([{ current: true }])
  })

  it('cannot be ended by other users or by a shorter handle', async () => {
    const [client, otherUser] = [await site.signedIn('user'), await site.signedIn('admin')]
    const [session] = await client.call(api.listSessions)

    for (const [caller, hash] of [
      [otherUser, session!.id],
      [client, session!.id.slice(0, 4)],
    ] as const) {
      expect(await codeOf(caller.send(api.endSession, { path: { hash } }))).toBe('session_not_found')
    }
    expect(await client.call(api.listSessions)).toHaveLength(1)
  })

  it('can all be ended together', async () => {
    const client = await site.signedIn('user')
    const elsewhere = apiClient(site.url)
    await elsewhere.login(client.username, PASSWORD)

    await client.call(api.endAllSessions)

    for (const one of [client, elsewhere]) expect((await one.send(api.getSelf)).response.status).toBe(401)
  })
})

async function by(authorization: string, { userId }: Client): Promise<number> {
  const headers = { authorization, 'tidegate-user': String(userId) }
  return (await apiClient(site.url).send(api.getSelf, { headers })).response.status
}

async function sessionsOf({ userId }: Client): Promise<string[]> {
  const rows = await site.db.selectFrom('session').select('id_hash').where('user_id', '=', userId!).execute()
  return rows.map(({ id_hash }) => id_hash)
}

/** Moves the last login into the past. */
async function age({ userId }: Client): Promise<void> {
  const proved_at = new Date(Date.now() - 11 * 60_000)
  await site.db.updateTable('session').set({ proved_at }).where('user_id', '=', userId!).execute()
}
