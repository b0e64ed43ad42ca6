import { api, MAX_QUOTA, type BodyInput } from '@tidegate/contract'
import { findImbalances, recordEntry } from '@tidegate/ledger'
import { addToken, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let root: Client
let admin: Client
type Client = ApiClient & { username: string }

beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
  admin = await site.signedIn('admin')
})
afterAll(() => site.close())

const NEW = { password: 'ebb-and-flow' }
const read = (id: number) => site.db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const edit = (client: Client, change: Partial<BodyInput<typeof api.updateUser>> & { id: number }, by = admin) =>
  by.send(api.updateUser, { body: { username: client.username, ...change } })
const manage = (id: number, action: string, by = admin) => by.send(api.manageUser, { body: { id, action } })
const codeOf = async (result: Promise<{ envelope: object }>) => ((await result).envelope as { code?: string }).code

describe('the user list', () => {
  it('starts at page 0, newest first, including deregistered users', async () => {
    const gone = await site.signedIn('user')
    await manage(gone.userId!, 'delete')

    const first = await admin.call(api.listUsers, { query: { p: 0, page_size: 2 } })
    const second = await admin.call(api.listUsers, { query: { p: 1, page_size: 2 } })

    expect(first).toMatchObject({ page: 1, page_size: 2, items: [{ id: gone.userId }, {}] })
    expect(first.items[0]!.DeletedAt).not.toBeNull()
    expect(second.page).toBe(2)
    expect(second.items.every(({ id }) => id < first.items[1]!.id)).toBe(true)
  })

  it('shows when a user was last active, with a token or in the console', async () => {
    const group = 'active'
    const [withToken, withSession, neither] = [
      await site.signedIn('user'),
      await site.signedIn('user'),
      await site.signedIn('user'),
    ]
    const ids = [withToken, withSession, neither].map(({ userId }) => userId!)
    await site.db.updateTable('user').set({ group }).where('id', 'in', ids).execute()
    await withToken.call(api.createToken, { body: { name: 'laptop', unlimited_quota: true } })
    await site.db
      .updateTable('token')
      .set({ accessed_at: new Date('2026-11-02T10:00:00Z') })
      .where('user_id', '=', ids[0]!)
      .execute()
    const seen = { last_seen_at: new Date('2026-11-01T10:00:00Z') }
    await site.db.updateTable('session').set(seen).where('user_id', 'in', ids.slice(0, 2)).execute()
    await site.db.deleteFrom('session').where('user_id', '=', ids[2]!).execute()

    const { items } = await admin.call(api.searchUsers, { query: { group } })

    const times = new Map(items.map(({ id, last_active_time }) => [id, last_active_time]))
    expect(ids.map((id) => times.get(id))).toEqual(['2026-11-02T10:00:00.000Z', '2026-11-01T10:00:00.000Z', null])
  })

  it('sorts by every column, and equal rows by id', async () => {
    const group = 'sorted'
    const rows = [
      { username: 'a-shoal', used_quota: 30, request_count: 2 },
      { username: 'b-shoal', used_quota: 10, request_count: 2 },
      { username: 'c-shoal', used_quota: 20, request_count: 9 },
    ]
    const ids: number[] = []
    for (const [index, row] of rows.entries()) {
      const { userId } = await site.signedIn('user')
      const quota = 100 * index
      if (quota > 0) await recordEntry(site.db, { userId: userId!, kind: 'admin_change', amount: quota })
      await site.db
        .updateTable('user')
        .set({ ...row, group, quota })
        .where('id', '=', userId!)
        .execute()
      ids.push(userId!)
    }
    // Credit held by a gateway counts: the first user is the richest.
    await recordEntry(site.db, { userId: ids[0]!, kind: 'admin_change', amount: 500 })
    await site.db.updateTable('user').set({ quota: 0 }).where('id', '=', ids[0]!).execute()
    await site.db.insertInto('credit_lease').values({ holder: 'a node', user_id: ids[0]!, amount: 500 }).execute()
    const orderBy = async (sort: string, direction?: 'asc' | 'desc') => {
      const query = { group, sort, ...(direction && { direction }) }
      const { items } = await admin.call(api.searchUsers, { query })
      return items.map(({ id }) => ids.indexOf(id))
    }

    expect(await orderBy('username')).toEqual([0, 1, 2])
    expect(await orderBy('username', 'desc')).toEqual([2, 1, 0])
    expect(await orderBy('quota')).toEqual([0, 2, 1])
    expect(await orderBy('used_quota')).toEqual([0, 2, 1])
    expect(await orderBy('used_quota', 'asc')).toEqual([1, 2, 0])
    expect(await orderBy('request_count')).toEqual([2, 1, 0])
    expect(await orderBy('password_hash')).toEqual([2, 1, 0])
    const all = await admin.call(api.listUsers, { query: { sort: 'id', direction: 'asc', page_size: 2 } })
    expect(all.items[0]!.id).toBeLessThan(all.items[1]!.id)
  })

  it('includes credit held by gateways in the balance', async () => {
    const { userId } = await site.signedIn('user')
    await recordEntry(site.db, { userId: userId!, kind: 'admin_change', amount: 300 })
    await site.db.updateTable('user').set({ quota: 100 }).where('id', '=', userId!).execute()
    await site.db.insertInto('credit_lease').values({ holder: 'a node', user_id: userId!, amount: 200 }).execute()

    const { items } = await admin.call(api.searchUsers, { query: { keyword: userId! } })

    expect(items.find(({ id }) => id === userId)?.quota).toBe(300)
    expect((await admin.call(api.getUser, { path: { id: userId! } })).quota).toBe(300)
  })
})

describe('the user search', () => {
  it('matches parts of name, email or display name, and ids', async () => {
    const { userId } = await site.signedIn('user')
    const values = { username: 'Mackerel', email: 'fish@harbour.example', display_name: '鲭鱼' }
    await site.db.updateTable('user').set(values).where('id', '=', userId!).execute()
    const search = async (keyword: string | number) =>
      (await admin.call(api.searchUsers, { query: { keyword, p: 1 } })).items.map(({ id }) => id)

    for (const keyword of ['ackere', 'HARBOUR', '鲭', userId!]) expect(await search(keyword)).toContain(userId)
    expect(await search('kraken')).toEqual([])
  })

  it('matches pattern characters literally', async () => {
    const { userId } = await site.signedIn('user')
    await site.db.updateTable('user').set({ display_name: '50%_off\\' }).where('id', '=', userId!).execute()
    const search = async (keyword: string) =>
      (await admin.call(api.searchUsers, { query: { keyword } })).items.map(({ id }) => id)

    for (const keyword of ['%', '_', '\\', '50%_']) expect(await search(keyword)).toEqual([userId])
  })

  it('filters by group alone', async () => {
    const { userId } = await site.signedIn('user')
    await site.db.updateTable('user').set({ group: 'svip' }).where('id', '=', userId!).execute()

    const found = await admin.call(api.searchUsers, { query: { keyword: '', group: 'svip' } })

    expect(found).toMatchObject({ total: 1, page: 1, items: [{ id: userId }] })
  })

  it('filters by role and status, and ignores unknown values', async () => {
    const add = async (values: { status?: number; role?: number; deleted_at?: Date }) => {
      const { userId } = await site.signedIn('user')
      const changes = { ...values, group: 'harbour' }
      await site.db.updateTable('user').set(changes).where('id', '=', userId!).execute()
      return userId!
    }
    const active = await add({})
    const banned = await add({ status: 2 })
    const deregistered = await add({ deleted_at: new Date() })
    const promoted = await add({ role: 10 })
    const search = async (query: { role?: string; status?: string }) =>
      (await admin.call(api.searchUsers, { query: { group: 'harbour', ...query } })).items.map(({ id }) => id)

    expect(await search({ status: 'active' })).toEqual([promoted, active])
    expect(await search({ status: 'banned' })).toEqual([banned])
    expect(await search({ status: 'deregistered' })).toEqual([deregistered])
    expect(await search({ role: 'admin' })).toEqual([promoted])
    expect(await search({ role: 'user', status: 'active' })).toEqual([active])
    expect(await search({ role: 'owner', status: 'asleep' })).toHaveLength(4)
  })
})

describe('creating a user', () => {
  it('creates an ordinary user with the sign-up credit', async () => {
    await root.call(api.updateOption, { body: { key: 'QuotaForNewUser', value: '700' } })

    await admin.call(api.createUser, { body: { username: '  dory ', ...NEW } })

    const client = await site.signedIn('user')
    const user = await client.login('dory', NEW.password)
    expect(await client.call(api.getSelf)).toMatchObject({ role: 1, display_name: 'dory', quota: 700, inviter_id: 0 })
    expect(await logsOf(user.id)).toEqual(expect.arrayContaining(['signup_gift', 'user_created']))
    expect(await auditsOf(user.id)).toMatchObject([{ action: 'user.create', actor_id: admin.userId }])
    expect(await findImbalances(site.db)).toEqual([])
  })

  it.each([
    [{ username: '' }, 'invalid_input'],
    [{ username: 'x'.repeat(13) }, 'invalid_input'],
    [{ username: 'a@b.example' }, 'invalid_input'],
    [{ username: 'tab\there' }, 'invalid_input'],
    [{ password: '1234567' }, 'invalid_input'],
    [{ password: '字'.repeat(129) }, 'invalid_input'],
    [{ display_name: '字'.repeat(21) }, 'invalid_input'],
    [{ role: 10 }, 'rank_create'],
    [{ role: 100 }, 'rank_create'],
    [{ username: 'DORY' }, 'username_taken'],
  ])('is rejected with %o', async (change, code) => {
    expect(await codeOf(admin.send(api.createUser, { body: { username: 'newcomer', ...NEW, ...change } }))).toBe(code)
  })

  it('creates one user for concurrent requests', async () => {
    const body = { username: 'only-one', ...NEW }

    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(admin.send(api.createUser, { body }))))

    expect(codes.filter((code) => code === undefined)).toHaveLength(1)
    expect(codes.filter((code) => code === 'username_taken')).toHaveLength(19)
  })
})

describe('editing a user', () => {
  it('changes name, display name and group on all nodes', async () => {
    const client = await site.signedIn('user')
    const { payloads, end } = await listen()

    await edit(client, { id: client.userId!, username: 'nemo', display_name: 'Clown fish', group: 'vip' })

    expect(await read(client.userId!)).toMatchObject({ username: 'nemo', display_name: 'Clown fish', group: 'vip' })
    await expect.poll(() => payloads.join()).toContain(`{"kind":"caller","userId":${client.userId}}`)
    await end()
    expect(await auditsOf(client.userId!)).toMatchObject([
      { action: 'user.update', details: { before: { group: 'default' }, after: { group: 'vip', username: 'nemo' } } },
    ])
  })

  it('applies the difference to the shown balance', async () => {
    const client = await site.signedIn('user')
    const id = client.userId!
    await recordEntry(site.db, { userId: id, kind: 'admin_change', amount: 1000 })
    const { quota: seen } = await admin.call(api.getUser, { path: { id } })
    await recordEntry(site.db, { userId: id, kind: 'admin_change', amount: -400 }) // as if it had been spent

    await edit(client, { id, quota: seen + 500, quota_seen: seen })

    expect((await read(id)).quota).toBe(1100)
    expect(await logsOf(id)).toContain('balance_changed')
    expect(await findImbalances(site.db)).toEqual([])
  })

  it('ignores an unchanged balance', async () => {
    const client = await site.signedIn('user')
    const id = client.userId!
    await recordEntry(site.db, { userId: id, kind: 'admin_change', amount: -50 })

    const { envelope } = await edit(client, { id, quota: -50, quota_seen: -50, display_name: 'In debt' })

    expect(envelope.success).toBe(true)
    expect(await read(id)).toMatchObject({ quota: -50, display_name: 'In debt' })
  })

  it('allows a negative balance for the super admin only', async () => {
    const client = await site.signedIn('user')
    const id = client.userId!

    expect(await codeOf(edit(client, { id, quota: -5, quota_seen: 0 }))).toBe('quota_invalid')
    expect(await codeOf(edit(client, { id, quota: -5, quota_seen: 0 }, root))).toBeUndefined()
    expect((await read(id)).quota).toBe(-5)
  })

  it('changes nothing when one part is rejected', async () => {
    const client = await site.signedIn('user')
    const id = client.userId!

    expect(await codeOf(edit(client, { id, display_name: 'Half', password: NEW.password, quota: MAX_QUOTA + 1 }))).toBe(
      'quota_invalid',
    )
    expect(await codeOf(edit(client, { id, display_name: 'Half', group: 'constructor' }))).toBe('group_unknown')
    expect(await codeOf(edit(client, { id, display_name: 'Half', username: root.username }))).toBe('username_taken')
    expect((await read(id)).display_name).toBe(client.username)
    expect((await client.send(api.getSelf)).response.status).toBe(200)
  })

  it('revokes all sessions with a new password', async () => {
    const client = await site.signedIn('user')

    await edit(client, { id: client.userId!, ...NEW })

    expect((await client.send(api.getSelf)).response.status).toBe(401)
    await client.login(client.username, NEW.password)
  })

  it('requires the own password of the super admin when the login is old', async () => {
    await site.db
      .updateTable('session')
      .set({ proved_at: new Date(Date.now() - 11 * 60_000) })
      .where('user_id', '=', root.userId!)
      .execute()

    expect(await codeOf(edit(root, { id: root.userId!, ...NEW }, root))).toBe('original_password_required')
    expect(await codeOf(edit(root, { id: root.userId!, ...NEW, original_password: 'wrong one' }, root))).toBe(
      'original_password_wrong',
    )
    await edit(root, { id: root.userId!, password: PASSWORD, original_password: PASSWORD }, root)
    await root.login(root.username, PASSWORD)
  })

  it('does not overwrite concurrent settlements', async () => {
    const client = await site.signedIn('user')
    const id = client.userId!

    await Promise.all(
      Array.from({ length: 20 }, (_, index) => [
        recordInTransaction(id, 10),
        edit(client, { id, display_name: `Name ${index}` }),
        client.call(api.updateSelf, { body: { display_name: `Own ${index}` } }),
        client.call(api.updateSetting, { body: { quota_warning_threshold: index + 1 } }),
        client.call(api.createAccessToken),
        client.call(api.getInviteCode),
      ]).flat(),
    )

    expect((await read(id)).quota).toBe(200)
    expect(await findImbalances(site.db)).toEqual([])
  })

  it('ignores role, status, email and other read-only fields', async () => {
    const client = await site.signedIn('user')
    const id = client.userId!
    const before = await read(id)
    const extra = {
      role: 1,
      status: 2,
      email: 'x@y.example',
      aff_quota: 5,
      used_quota: 7,
      setting: '{}',
      inviter_id: 1,
    }

    await edit(client, { id, ...extra })

    expect(await read(id)).toEqual(before)
  })
})

describe('user ranks', () => {
  it('prevent administrators from acting on their own level and above', async () => {
    const peer = await site.signedIn('admin')
    for (const target of [peer, root, admin]) {
      const id = target.userId!
      expect(await codeOf(edit(target, { id, display_name: 'Taken over' }))).toBe('rank_update')
      expect(await codeOf(admin.send(api.getUser, { path: { id } }))).toBe('rank_read')
      expect(await codeOf(admin.send(api.deleteUser, { path: { id } }))).toBe('rank_delete')
      for (const action of api.MANAGE_ACTIONS) expect(await codeOf(manage(id, action))).toBe('rank_update')
    }
    const below = await site.signedIn('user')
    expect(await codeOf(edit(below, { id: below.userId!, role: 10 }))).toBe('rank_raise')
  })

  it('let only the super admin promote, and protect the super admin', async () => {
    const { userId } = await site.signedIn('user')

    expect(await codeOf(manage(userId!, 'promote'))).toBe('only_root_promotes')
    expect((await manage(userId!, 'promote', root)).envelope).toMatchObject({ data: { role: 10, status: 1 } })
    expect(await codeOf(manage(userId!, 'promote', root))).toBe('already_admin')
    for (const action of ['demote', 'disable', 'delete']) {
      expect(await codeOf(manage(root.userId!, action, root))).toBe('root_protected')
    }
    expect(await codeOf(root.send(api.deleteUser, { path: { id: root.userId! } }))).toBe('rank_delete')
  })

  it('reject unknown users, unknown actions and deregistered users', async () => {
    const { userId } = await site.signedIn('user')

    expect(await codeOf(manage(999_999, 'enable'))).toBe('user_not_found')
    expect(await codeOf(manage(userId!, 'constructor'))).toBe('invalid_params')
    expect(await codeOf(manage(userId!, 'demote'))).toBe('already_common')
    expect(await codeOf(manage(userId!, 'restore'))).toBe('target_not_deregistered')
    await manage(userId!, 'delete')
    for (const action of ['enable', 'disable', 'delete']) {
      expect(await codeOf(manage(userId!, action))).toBe('target_deregistered')
    }
    expect(await codeOf(admin.send(api.getUser, { path: { id: userId! } }))).toBe('user_not_found')
  })
})

describe('the next request with the old cookie', () => {
  it.each(['disable', 'delete'])('returns 401 after %s', async (action) => {
    const client = await site.signedIn('user')

    await manage(client.userId!, action)

    expect((await client.send(api.getSelf)).response.status).toBe(401)
  })

  it('returns 401 after demotion', async () => {
    const client = await site.signedIn('admin')

    expect((await manage(client.userId!, 'demote', root)).envelope).toMatchObject({ data: { role: 1 } })

    expect((await client.send(api.getSelf)).response.status).toBe(401)
    await client.login(client.username, PASSWORD)
    expect(await codeOf(client.send(api.listUsers))).toBe('forbidden')
  })
})

describe('deregistering a user', () => {
  it('revokes sessions, access token and API tokens, and keeps the row and its name', async () => {
    const client = await site.signedIn('user')
    const id = client.userId!
    const accessToken = await client.call(api.createAccessToken)
    await addToken(client)

    await admin.call(api.deleteUser, { path: { id } })

    const headers = { authorization: accessToken, 'tidegate-user': String(id), cookie: '' }
    expect((await client.send(api.getSelf, { headers })).envelope).toMatchObject({ code: 'access_token_invalid' })
    const tokens = await site.db.selectFrom('token').select('deleted_at').where('user_id', '=', id).execute()
    expect(tokens.map(({ deleted_at }) => deleted_at === null)).toEqual([false])
    expect(await read(id)).toMatchObject({ username: client.username, deleted_at: expect.any(Date) })
    expect(await codeOf(admin.send(api.createUser, { body: { username: client.username, ...NEW } }))).toBe(
      'username_taken',
    )
  })

  it('can be undone without restoring credentials', async () => {
    const client = await site.signedIn('user')
    await addToken(client)
    await manage(client.userId!, 'delete')

    await manage(client.userId!, 'restore')

    await client.login(client.username, PASSWORD)
    expect(await client.call(api.listTokens)).toEqual([])
    expect((await auditsOf(client.userId!)).map(({ action }) => action)).toEqual(['user.delete', 'user.restore'])
  })

  it('cannot be undone when another user has the address', async () => {
    const [gone, next] = [await site.signedIn('user'), await site.signedIn('user')]
    const setEmail = (id: number) =>
      site.db.updateTable('user').set({ email: 'shared@reef.example' }).where('id', '=', id).execute()
    await setEmail(gone.userId!)
    await manage(gone.userId!, 'delete')
    await setEmail(next.userId!)

    expect(await codeOf(manage(gone.userId!, 'restore'))).toBe('email_in_use')
  })
})

it('writes a log row for the user that names no administrator', async () => {
  const client = await site.signedIn('user')
  await manage(client.userId!, 'disable')
  await manage(client.userId!, 'disable') // no new event
  await manage(client.userId!, 'enable')
  await client.login(client.username, PASSWORD)

  const { items } = await client.call(api.listOwnLogs)

  expect(items.map(({ content, type }) => [type, content])).toEqual([
    [3, 'Account unbanned by an administrator'],
    [3, 'Account banned by an administrator'],
  ])
  expect(JSON.stringify(items)).not.toContain('actor_id')
})

it('exposes no hash, token or secret in user responses', async () => {
  const client = await site.signedIn('user')
  const id = client.userId!
  const accessToken = await client.call(api.renewAccessToken)
  const secret = 'canary-webhook-secret'
  const setting = { notify_type: 'webhook', webhook_url: 'https://hooks.example/in', webhook_secret: secret }
  await client.call(api.updateSetting, { body: setting })
  const { password_hash, setting: stored } = await read(id)
  const token = await site.db.selectFrom('access_token').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow()
  const sessions = await site.db.selectFrom('session').select('id_hash').where('user_id', '=', id).execute()

  const results = JSON.stringify([
    await root.call(api.listUsers),
    await root.call(api.searchUsers, { query: { keyword: id } }),
    await root.call(api.getUser, { path: { id } }),
    await root.call(api.listAuditEvents, { query: { page_size: 100 } }),
    await client.call(api.getSelf),
    await client.call(api.getAccessToken),
    await client.call(api.listSessions),
    await client.call(api.listOwnLogs),
  ])

  const canaries = [secret, accessToken, token.hash, password_hash!, String(stored.webhook_secret)]
  for (const canary of [...canaries, ...sessions.map(({ id_hash }) => id_hash)]) {
    expect(canary.length).toBeGreaterThan(10)
    expect(results).not.toContain(canary)
  }
  expect(results).toContain('webhook_secret_set')
})

function recordInTransaction(userId: number, amount: number): Promise<void> {
  return site.db
    .transaction()
    .execute((transaction) => recordEntry(transaction, { userId, kind: 'admin_change', amount }))
}

async function logsOf(userId: number): Promise<unknown[]> {
  const rows = await site.db.selectFrom('usage_log').select('other').where('user_id', '=', userId).execute()
  return rows.map(({ other }) => other.event)
}

/** Audit actions on a user except logins. */
function auditsOf(userId: number) {
  return site.db
    .selectFrom('audit_event')
    .select(['action', 'actor_id', 'details', 'client_ip'])
    .where('subject', '=', String(userId))
    .where('action', 'like', 'user.%')
    .where('action', '<>', 'user.login')
    .orderBy('id')
    .execute()
}

async function listen() {
  const payloads: string[] = []
  const listener = site.newClient()
  await listener.connect()
  listener.on('notification', ({ payload }) => payloads.push(payload ?? ''))
  await listener.query('listen tidegate')
  return { payloads, end: () => listener.end() }
}
