import { api } from '@tidegate/contract'
import { messages, startSharedListener } from '@tidegate/storage'
import { apiClient, type ApiClient } from '@tidegate/testing'
import fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { registerApi } from '../../register-api.ts'
import { PASSWORD, startTestSite, type TestSite } from '../../../test/start-site.ts'
import { followUnread, TEXT } from '../../../test/messages.ts'

type Client = ApiClient & { username: string }

let site: TestSite
let admin: Client
let user: Client
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
})
afterAll(() => site.close())
beforeEach(async () => {
  user = await site.signedIn('user')
})

const write = async (title = TEXT.title, to = [user]) => {
  const user_ids = to.map(({ userId }) => userId!)
  return (await admin.call(api.createMessage, { body: { ...TEXT, title, user_ids } })).id
}
const unread = async (client: ApiClient = user) => (await client.call(api.getUnreadCount)).unread_count

describe('the inbox', () => {
  it('lists messages and notifications newest first, with paging', async () => {
    await write('one')
    await messages.send(site.db, { title: 'two', content: 'x', createdBy: 0 }, [user.userId!])
    await write('three')

    const { items, total } = await user.call(api.listInbox, { query: { page_size: 2 } })
    const second = await user.call(api.listInbox, { query: { p: 2, page_size: 2 } })

    expect(items.map(({ title }) => title)).toEqual(['three', 'two'])
    expect(second).toMatchObject({ page: 2, total: 3, items: [{ title: 'one' }] })
    expect(total).toBe(3)
  })

  it('marks a message read when opened, and keeps the first time', async () => {
    const id = await write()

    const opened = await user.call(api.readInboxMessage, { path: { id } })
    await user.call(api.markInboxMessageRead, { path: { id } })
    const again = await user.call(api.readInboxMessage, { path: { id } })

    expect(opened).toMatchObject({ id, ...TEXT, is_read: true, read_at: expect.any(String) })
    expect(again).toEqual(opened)
    expect(await unread()).toBe(0)
  })

  it('keeps one read time for concurrent requests', async () => {
    const id = await write()

    const opened = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0
          ? user.call(api.readInboxMessage, { path: { id } })
          : user.call(api.markInboxMessageRead, { path: { id } }),
      ),
    )

    const times = new Set(opened.map((message) => message?.read_at).filter(Boolean))
    expect(times.size).toBe(1)
    expect((await user.call(api.listInbox)).items[0]!.read_at).toBe([...times][0])
    expect(await unread()).toBe(0)
  })

  it('hides messages of other users', async () => {
    const id = await write()
    const other = await site.signedIn('user')

    for (const client of [other, admin]) {
      for (const call of [api.readInboxMessage, api.markInboxMessageRead]) {
        expect((await client.send(call, { path: { id } })).envelope).toMatchObject({ code: 'message_not_found' })
        expect((await client.send(call, { path: { id: 99_999_999 } })).envelope).toMatchObject({
          code: 'message_not_found',
        })
      }
    }
    expect(await unread()).toBe(1)
  })

  it('can be marked read as a whole, for one user only', async () => {
    const other = await site.signedIn('user')
    const first = await write('one', [user, other])
    await write('two', [user, other])
    const { read_at } = await user.call(api.readInboxMessage, { path: { id: first } })

    expect(await user.call(api.markInboxRead)).toBe(1)
    expect(await user.call(api.markInboxRead)).toBe(0)
    expect(await unread()).toBe(0)
    expect(await unread(other)).toBe(2)
    expect((await user.call(api.readInboxMessage, { path: { id: first } })).read_at).toBe(read_at)
  })

  it('returns 304 for an unchanged unread count', async () => {
    const first = await user.send(api.getUnreadCount)
    const headers = { 'if-none-match': first.response.headers.get('etag')! }
    const same = await user.open(api.getUnreadCount, { headers })
    await write()
    const another = await user.send(api.getUnreadCount, { headers })

    expect(first.envelope).toMatchObject({ data: { unread_count: 0 } })
    expect(same.status).toBe(304)
    expect(another.envelope).toMatchObject({ data: { unread_count: 1 } })
  })

  it.each(['/api/user/messages', '/api/admin/messages'])('%s works with and without a slash', async (path) => {
    for (const url of [path, `${path}/`]) {
      const endpoint = { ...api.listInbox, path: url as `/api/${string}` }
      const { response, envelope } = await admin.send(endpoint)
      expect(response.status).toBe(200)
      expect(envelope).toMatchObject({ success: true, data: { page: 1 } })
    }
  })
})

describe('the unread feed', () => {
  it('reports the count at once and on change', async () => {
    const first = await write('one')
    const feed = await followUnread(user)
    await expect.poll(() => feed.counts).toEqual([1])

    const second = await write('two')
    await expect.poll(() => feed.counts).toEqual([1, 2])
    await user.call(api.readInboxMessage, { path: { id: first } })
    await expect.poll(() => feed.counts).toEqual([1, 2, 1])
    await admin.call(api.deleteMessage, { path: { id: second } })
    await expect.poll(() => feed.counts).toEqual([1, 2, 1, 0])
    await messages.send(site.db, { title: 'x', content: 'x', createdBy: 0 }, [user.userId!])
    await expect.poll(() => feed.counts).toEqual([1, 2, 1, 0, 1])
    await feed.leave()
  })

  it('ignores other inboxes', async () => {
    const other = await site.signedIn('user')
    const [feed, others] = await Promise.all([followUnread(user), followUnread(other)])
    await expect.poll(() => [...feed.counts, ...others.counts]).toEqual([0, 0])

    await write('x', [other])

    await expect.poll(() => others.counts).toEqual([0, 1])
    expect(feed.counts).toEqual([0])
    await Promise.all([feed.leave(), others.leave()])
  })

  it('works across nodes', async () => {
    const listener = await startSharedListener(site.newClient, { db: site.db })
    const app = fastify({ routerOptions: { ignoreTrailingSlash: true } })
    await registerApi(app, { ...site.deps, listener })
    const client = apiClient(await app.listen({ port: 0, host: '127.0.0.1' }))
    await client.login(user.username, PASSWORD)
    const [here, there] = await Promise.all([followUnread(user), followUnread(client)])
    await expect.poll(() => [...here.counts, ...there.counts]).toEqual([0, 0])

    const id = await write()
    await expect
      .poll(() => [here.counts, there.counts])
      .toEqual([
        [0, 1],
        [0, 1],
      ])
    await client.call(api.markInboxMessageRead, { path: { id } })
    await expect
      .poll(() => [here.counts, there.counts])
      .toEqual([
        [0, 1, 0],
        [0, 1, 0],
      ])

    await here.leave()
    await app.close() // ends open streams, otherwise it would wait forever
    await listener.stop()
    await expect.poll(() => there.isOver).toBe(true)
  })

  it.each([
    ['its session logs out', () => user.call(api.logout)],
    ['its user is banned', () => admin.call(api.manageUser, { body: { id: user.userId!, action: 'disable' } })],
    ['its user is deregistered', () => admin.call(api.manageUser, { body: { id: user.userId!, action: 'delete' } })],
  ])('ends when %s', async (_, act) => {
    const feed = await followUnread(user)
    await expect.poll(() => feed.counts).toEqual([0])

    await act()

    await expect.poll(() => feed.isOver).toBe(true)
  })

  it('continues when another session of the user logs out', async () => {
    const feed = await followUnread(user)
    const laptop = apiClient(site.url)
    await laptop.login(user.username, PASSWORD)
    await laptop.call(api.logout)
    await write()

    await expect.poll(() => feed.counts.at(-1)).toBe(1)
    expect(feed.isOver).toBe(false)
    await feed.leave()
  })

  it('ends the oldest connection when there are too many', async () => {
    const oldest = await followUnread(user)
    const others = []
    for (let tab = 0; tab < 20; tab++) others.push(await followUnread(user))

    await expect.poll(() => oldest.isOver).toBe(true)
    expect(others.every(({ isOver }) => !isOver)).toBe(true)
    await Promise.all(others.map(({ leave }) => leave()))
  })
})
