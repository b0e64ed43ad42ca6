import { api, type BodyInput } from '@tidegate/contract'
import { messages } from '@tidegate/storage'
import type { ApiClient } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../../test/start-site.ts'
import { addUsers, recipientsOf, TEXT } from '../../../test/messages.ts'

type Client = ApiClient & { username: string }

let site: TestSite
let admin: Client
let user: Client
let other: Client
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
  user = await site.signedIn('user')
  other = await site.signedIn('user')
})
afterAll(() => site.close())
beforeEach(() => site.db.deleteFrom('message').execute())

const write = (body: Partial<BodyInput<typeof api.createMessage>> = {}) =>
  admin.call(api.createMessage, { body: { ...TEXT, user_ids: [user.userId!], ...body } })

describe('creating a message', () => {
  it('delivers it with the response, once per recipient', async () => {
    const sent = await write({ title: '  High tide ', user_ids: [user.userId!, user.userId!, other.userId!] })

    expect(sent).toMatchObject({ ...TEXT, format: 'markdown', created_by: admin.userId })
    expect(sent).toMatchObject({ target: 'users', state: 'sent', planned: 2, delivered: 2, send_at: null })
    expect(sent.stats).toEqual({ total_recipients: 2, read_count: 0, unread_count: 2, read_rate: 0 })
    const { items, total } = await user.call(api.listInbox)
    expect(total).toBe(1)
    expect(items[0]).toMatchObject({ id: sent.id, ...TEXT, preview: 'Mind the quay.', is_read: false, read_at: null })
    expect((await admin.call(api.listInbox)).total).toBe(0)
  })

  it.each([
    ['no title', { title: ' \n ' }, 'message_title_required', '请输入消息标题'],
    ['a title of 201 characters', { title: '潮'.repeat(201) }, 'message_title_too_long', '消息标题最长 200 个字符'],
    ['no content', { content: '\t' }, 'message_content_required', '请输入消息内容'],
    [
      'nothing left of the content',
      { content: '<script>1</script>', format: 'html' },
      'message_content_required',
      '请输入消息内容',
    ],
    ['more than 64 KB', { content: '潮'.repeat(22_000) }, 'message_content_too_long', '消息内容不能超过 64 KB'],
    ['another format', { format: 'text' }, 'message_format_invalid', '消息格式只能是 markdown 或 html'],
    ['no recipients', { user_ids: [] }, 'recipients_required', '请选择至少一个收件人'],
    ['no recipient', { user_ids: null }, 'recipients_required', '请选择至少一个收件人'],
    ['two kinds of recipients', { all: true }, 'recipients_ambiguous', '指定用户、分组和全体用户只能选择一种'],
    ['an unknown group', { user_ids: null, group: 'gulls' }, 'group_unknown', '分组不存在：gulls'],
    ['a time that has passed', { send_at: 1 }, 'message_time_invalid', '发送时间必须晚于当前时间，且在一年之内'],
  ])('is rejected with %s', async (_, body, code, message) => {
    const { envelope } = await admin.send(api.createMessage, {
      body: { ...TEXT, user_ids: [user.userId!], ...body },
    })

    expect(envelope).toMatchObject({ success: false, code, message })
    expect(await messages.count(site.db, {})).toBe(0)
  })

  it('accepts the longest title and content', async () => {
    const sent = await write({ title: '🌊'.repeat(200), content: 'x'.repeat(64 * 1024), format: '  ' })

    expect(sent.format).toBe('markdown')
    await expect(write({ content: 'x'.repeat(300 * 1024) })).rejects.toMatchObject({ code: 'body_too_large' })
  })

  it('names unknown recipients and sends nothing', async () => {
    const [gone] = (await addUsers(site, 1)) as [number]
    await site.db.updateTable('user').set({ deleted_at: new Date() }).where('id', '=', gone).execute()
    const wrong = [-1, 1.5, gone, 987_654_321]

    const { envelope } = await admin.send(api.createMessage, {
      body: { ...TEXT, user_ids: [user.userId!, ...wrong] },
    })

    expect(envelope).toMatchObject({ code: 'recipients_unknown', data: { user_ids: wrong } })
    expect(envelope.message).toBe(`以下用户不存在或已注销：${wrong.join(', ')}`)
    expect(await messages.count(site.db, {})).toBe(0)
  })

  it.each([
    ['html', '<p onclick="x">a<script>b</script><a href="javascript:c">d</a></p>'],
    ['markdown', '<script>b</script> <img src=x onerror=b> [d](javascript:c)'],
  ])('sanitizes %s', async (format, content) => {
    const { id } = await write({ format, content })

    const inbox = await user.call(api.readInboxMessage, { path: { id } })
    const { content: edited } = await admin.call(api.updateMessage, {
      path: { id },
      body: { ...TEXT, format, content },
    })
    for (const text of [inbox.content, edited]) expect(text).not.toMatch(/<script|onclick=|onerror=|javascript:/)
  })

  it('removes characters that the database rejects', async () => {
    expect(await write({ title: 'a\0b', content: 'c\0d' })).toMatchObject({ title: 'ab', content: 'cd' })
  })
})

describe('the message list', () => {
  it('is newest first with readers, without notifications', async () => {
    await messages.send(site.db, { title: 'Password changed', content: 'x', createdBy: 0 }, [user.userId!])
    const first = await write({ title: 'first', user_ids: [user.userId!, other.userId!, admin.userId!] })
    await write({ title: 'second', user_ids: null, group: 'vip' })
    await user.call(api.markInboxMessageRead, { path: { id: first.id } })

    const { items, total } = await admin.call(api.listMessages, { query: { p: 0, page_size: 10 } })

    expect(total).toBe(2)
    expect(items.map(({ title, stats }) => [title, stats])).toEqual([
      ['second', { total_recipients: 0, read_count: 0, unread_count: 0, read_rate: 0 }],
      ['first', { total_recipients: 3, read_count: 1, unread_count: 2, read_rate: 33.33 }],
    ])
    expect(await admin.call(api.getMessage, { path: { id: first.id } })).toEqual(items[1])
    const message = (await user.call(api.listInbox)).items.find(({ title }) => title === 'Password changed')
    const path = { id: message!.id }
    for (const call of [api.getMessage, api.updateMessage, api.deleteMessage, api.listMessageRecipients]) {
      const { envelope } = await admin.send(call, { path, body: call.method === 'PUT' ? TEXT : undefined })
      expect(envelope).toMatchObject({ code: 'message_not_found' })
    }
  })

  it('searches title and content literally', async () => {
    await write({ title: '50% off_season', content: 'x' })
    await write({ title: 'x', content: 'Call the HARBOUR\\office' })
    const found = async (keyword: string) => {
      const [searched, listed] = await Promise.all([
        admin.call(api.searchMessages, { query: { keyword } }),
        admin.call(api.listMessages, { query: { keyword } }),
      ])
      expect(listed).toEqual(searched)
      return searched.items.map(({ title }) => title)
    }

    expect(await found('0% OFF')).toEqual(['50% off_season'])
    expect(await found('harbour\\off')).toEqual(['x'])
    expect(await found('%x%')).toEqual([])
    expect(await found('o_f')).toEqual([])
  })

  it('filters by date, including the whole last day', async () => {
    const moments = ['2026-03-01T00:00:00Z', '2026-03-02T23:59:59.999Z', '2026-03-03T00:00:00Z']
    for (const title of moments) {
      const { id } = await write({ title })
      await site.db.updateTable('message').set({ created_at: title }).where('id', '=', id).execute()
    }
    const found = async (start_date: string, end_date: string) =>
      (await admin.call(api.searchMessages, { query: { start_date, end_date } })).items.map(({ title }) => title)

    expect(await found('2026-03-01', '2026-03-02')).toEqual([moments[1], moments[0]])
    expect(await found('2026-03-02', '')).toEqual([moments[2], moments[1]])
    expect(await found('2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z')).toEqual([moments[0]])
    expect(await found('2026-03-03T08:00:00+08:00', '2026-03-03T00:00')).toEqual([moments[2]])
  })

  it.each(['yesterday', '2026-02-30', '2026-13-01', '20260301', '2026-03-01T25:00:00Z', '1'])(
    'reject the date %j',
    async (date) => {
      for (const field of ['start_date', 'end_date']) {
        await expect(admin.call(api.searchMessages, { query: { [field]: date } })).rejects.toMatchObject({
          code: 'message_date_invalid',
        })
      }
    },
  )
})

describe('the recipients of a message', () => {
  it('are listed newest first, completely or paged, with read times', async () => {
    const ids = await addUsers(site, 12)
    const { id } = await write({ user_ids: [user.userId!, ...ids] })
    await user.call(api.readInboxMessage, { path: { id } })
    const newestFirst = [...ids.toReversed(), user.userId!]

    const all = (await admin.call(api.listMessageRecipients, { path: { id } })) as api.MessageRecipient[]
    const page = await admin.call(api.listMessageRecipients, { path: { id }, query: { p: 2, page_size: 10 } })

    expect(all.map(({ user_id }) => user_id)).toEqual(newestFirst)
    expect(all.at(-1)).toEqual({
      user_id: user.userId,
      username: user.username,
      display_name: user.username,
      read_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    expect(page).toMatchObject({ total: 13, page: 2, page_size: 10, items: all.slice(10) })
  })
})

describe('editing a message', () => {
  it('changes it for all recipients', async () => {
    const { id, created_at } = await write({ user_ids: [user.userId!, other.userId!] })
    const { read_at } = await user.call(api.readInboxMessage, { path: { id } })

    const changed = await admin.call(api.updateMessage, {
      path: { id },
      body: { title: ' Low tide ', content: '<p>Mind <i>both</i></p>', format: 'html' },
    })

    const text = { title: 'Low tide', content: '<p>Mind <i>both</i></p>', format: 'html' }
    expect(changed).toMatchObject({ ...text, created_at, stats: { total_recipients: 2, read_count: 1, read_rate: 50 } })
    expect(changed.updated_at > created_at).toBe(true)
    expect((await user.call(api.listInbox)).items[0]).toMatchObject({ ...text, read_at })
    expect((await other.call(api.listInbox)).items[0]).toMatchObject({ ...text, is_read: false })
  })

  it.each([
    [{ title: '' }, 'message_title_required'],
    [{ content: ' ' }, 'message_content_required'],
    [{ format: 'pdf' }, 'message_format_invalid'],
    [{ send_at: 4_000_000_000 }, 'message_sent'],
  ])('is rejected with %o', async (edit, code) => {
    const { id } = await write()

    const { envelope } = await admin.send(api.updateMessage, { path: { id }, body: { ...TEXT, ...edit } })

    expect(envelope).toMatchObject({ success: false, code })
    expect((await user.call(api.listInbox)).items[0]).toMatchObject(TEXT)
  })

  it('removes it from all inboxes, once', async () => {
    const { id } = await write({ user_ids: [user.userId!, other.userId!] })

    await admin.call(api.deleteMessage, { path: { id } })

    expect(await recipientsOf(site, id)).toEqual([])
    expect((await user.call(api.getUnreadCount)).unread_count).toBe(0)
    await expect(admin.call(api.deleteMessage, { path: { id } })).rejects.toMatchObject({ code: 'message_not_found' })
    await expect(admin.call(api.updateMessage, { path: { id }, body: TEXT })).rejects.toMatchObject({
      code: 'message_not_found',
    })
  })

  it('is possible for every administrator and shows the author', async () => {
    const root = await site.signedIn('root')
    const { id } = await root.call(api.createMessage, { body: { ...TEXT, user_ids: [user.userId!] } })
    await admin.call(api.updateMessage, { path: { id }, body: { ...TEXT, title: 'Ebb' } })
    await admin.call(api.deleteMessage, { path: { id } })

    const trail = await site.db
      .selectFrom('audit_event')
      .select(['actor_id', 'action', 'details'])
      .where('subject', '=', String(id))
      .where('action', 'like', 'message.%')
      .orderBy('id')
      .execute()
    expect(trail.map(({ actor_id, action }) => [actor_id, action])).toEqual([
      [root.userId, 'message.create'],
      [admin.userId, 'message.update'],
      [admin.userId, 'message.delete'],
    ])
    expect(trail[1]!.details).toMatchObject({ before: { title: 'High tide' }, after: { title: 'Ebb' } })
    const log = await site.db
      .selectFrom('usage_log')
      .select(['user_id', 'type', 'content'])
      .where(sql`other ->> 'message_id'`, '=', String(id))
      .orderBy('id')
      .execute()
    expect(log).toEqual([
      { user_id: root.userId, type: api.LOG_TYPE.admin, content: 'Message sent to users: High tide' },
      { user_id: admin.userId, type: api.LOG_TYPE.admin, content: 'Message to users changed: Ebb' },
      { user_id: admin.userId, type: api.LOG_TYPE.admin, content: 'Message to users removed: Ebb' },
    ])
  })
})
