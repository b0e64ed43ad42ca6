import { api } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAutomationClient } from '../../test/automation-client.ts'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let root: ApiClient & { username: string }
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
})
afterAll(() => site.close())

let keys = 0
const newKey = () => `order-${(keys += 1)}`
const withKey = (key: string) => ({ headers: { 'idempotency-key': key, 'accept-language': 'en' } })
const aUser = (username: string) => ({ username, password: 'spring-tide-42' })
const codeOf = ({ envelope }: Awaited<ReturnType<ApiClient['send']>>) => ('code' in envelope ? envelope.code : '')
const age = (key: string, created_at: Date) =>
  site.db.updateTable('idempotency_key').set({ created_at }).where('key', '=', key).execute()
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)

describe('a request with an idempotency key', () => {
  it('replays the first response without another effect', async () => {
    const call = { body: aUser('once'), ...withKey(newKey()) }

    const first = await root.send(api.createUser, call)
    const again = await root.send(api.createUser, call)

    expect(first.envelope).toMatchObject({ success: true, data: { username: 'once' } })
    expect(again.envelope).toEqual(first.envelope)
    expect(first.response.headers.get('idempotent-replayed')).toBeNull()
    expect(again.response.headers.get('idempotent-replayed')).toBe('true')
  })

  it('rejects the key for another body or address', async () => {
    const key = newKey()
    const { id } = await root.call(api.createChannel, {
      body: { name: 'one', key: 'sk-a', models: 'm', base_url: 'http://example.com' },
      ...withKey(key),
    })

    const other = await root.send(api.createUser, { body: aUser('other'), ...withKey(key) })
    expect(other.response.status).toBe(422)
    expect(other.envelope).toMatchObject({
      code: 'idempotency_key_reused',
      message: expect.stringContaining('other contents'),
    })

    const copyKey = newKey()
    await root.call(api.copyChannel, { path: { id }, body: {}, ...withKey(copyKey) })
    expect(codeOf(await root.send(api.copyChannel, { path: { id: id + 1 }, body: {}, ...withKey(copyKey) }))).toBe(
      'idempotency_key_reused',
    )
  })

  it('runs once for twenty concurrent requests; the others retry and get the response', async () => {
    const call = { body: { name: 'crowd' }, ...withKey(newKey()) }
    const owner = await site.signedIn('user')

    const results = await Promise.all(Array.from({ length: 20 }, () => owner.send(api.createToken, call)))

    const waiting = results.filter(({ envelope }) => !envelope.success)
    for (const { response, envelope } of waiting) {
      expect(response.status).toBe(409)
      expect(response.headers.get('retry-after')).toBe('1')
      expect(envelope).toMatchObject({ code: 'idempotency_in_progress' })
    }
    const made = await owner.call(api.listTokens)
    expect(made).toHaveLength(1)
    expect(await owner.call(api.createToken, call)).toMatchObject([{ id: made[0]!.id, key: made[0]!.key }])
  })

  it('does not store rejections, so the key can be used again', async () => {
    const key = newKey()
    await root.call(api.createUser, { body: aUser('taken') })

    expect(codeOf(await root.send(api.createUser, { body: aUser('taken'), ...withKey(key) }))).toBe('username_taken')
    expect(await root.call(api.createUser, { body: aUser('free'), ...withKey(key) })).toMatchObject({
      username: 'free',
    })
  })

  it('is separate for each user', async () => {
    const key = newKey()
    const [one, two] = [await site.signedIn('user'), await site.signedIn('user')]

    const [first] = await one.call(api.createToken, { body: { name: 'mine' }, ...withKey(key) })
    const [second] = await two.call(api.createToken, { body: { name: 'mine' }, ...withKey(key) })

    expect(second!.key).not.toBe(first!.key)
  })

  it('stores responses sealed', async () => {
    const owner = await site.signedIn('user')
    const key = newKey()
    const [token] = await owner.call(api.createToken, { body: { name: 'sealed' }, ...withKey(key) })

    const rows = await site.db.selectFrom('idempotency_key').selectAll().where('key', '=', key).execute()

    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token!.key)
  })

  it('reports an interrupted first request and does not repeat it', async () => {
    const key = newKey()
    const call = { body: aUser('doubt'), ...withKey(key) }
    await root.call(api.createUser, call)
    await site.db.updateTable('idempotency_key').set({ sealed_answer: null }).where('key', '=', key).execute()

    expect(codeOf(await root.send(api.createUser, call))).toBe('idempotency_in_progress')
    await age(key, ago(5))
    expect(codeOf(await root.send(api.createUser, call))).toBe('idempotency_unfinished')
  })

  it('expires after a day', async () => {
    const owner = await site.signedIn('user')
    const key = newKey()
    const call = { body: { name: 'daily' }, ...withKey(key) }
    await owner.call(api.createToken, call)
    await age(key, ago(24 * 60 + 1))

    await owner.call(api.createToken, call)

    expect(await owner.call(api.listTokens)).toHaveLength(2)
  })

  it('requires a printable key', async () => {
    for (const key of ['', 'with space', 'x'.repeat(256)]) {
      const { response, envelope } = await root.send(api.createUser, { body: aUser('never'), ...withKey(key) })
      expect(response.status).toBe(400)
      expect(envelope).toMatchObject({ code: 'idempotency_key_invalid' })
    }
  })

  it('checks access again before a replay', async () => {
    const robot = await createAutomationClient(root, ['users:write'])
    const call = { body: aUser('replayed'), ...withKey(newKey()) }
    await robot.call(api.createUser, call)
    await root.call(api.revokeAutomationToken, { path: { id: robot.id } })

    expect(codeOf(await robot.send(api.createUser, call))).toBe('access_token_invalid')
  })
})
