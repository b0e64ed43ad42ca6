import type { ListedUser, Message, MessageRecipient } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { stored } from '../../lib/stored.ts'
import { fakeServer, refused, succeeded, type SeenRequest } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aMessage } from '../../../test/sample-message.ts'
import { aUser } from '../../../test/samples.ts'
import MessagesPage from './messages-page.tsx'

beforeEach(() => rememberUser(aUser({ id: 1, username: 'captain', role: 100 })))

interface Options {
  at?: string
  total?: number
  routes?: Parameters<typeof fakeServer>[0]
}

function open(messages: Message[], { at = '', total = messages.length, routes = {} }: Options = {}) {
  const page = succeeded({ items: messages, total, page: 1, page_size: 10 })
  const server = fakeServer({
    'GET /api/admin/messages': page,
    'GET /api/admin/messages/search': page,
    'GET /api/user': usersOf,
    'GET /api/user/search': usersOf,
    ...routes,
  })
  const view = renderScreen(MessagesPage, { at: `/admin/messages${at}` })
  const sent = (method: string, path: string) =>
    server.seen.filter((request) => request.method === method && request.path === path)
  return { ...view, sent }
}

/** 45 users, newest first; one of them is deregistered. A search matches usernames. */
function usersOf({ path, query }: SeenRequest) {
  const all = Array.from({ length: 45 }, (_, index) => sailor(45 - index))
  const found = query.keyword ? all.filter(({ username }) => username.includes(query.keyword!)) : all
  const size = Number(query.page_size)
  const before = (Number(query.p) - (path.endsWith('search') ? 1 : 0)) * size
  return succeeded({ items: found.slice(before, before + size), total: found.length, page: 1, page_size: size })
}

function sailor(id: number): ListedUser {
  const { setting: _, ...user } = aUser({ id, username: `sailor${id}`, display_name: `Sailor ${id}` })
  return { ...user, last_active_time: null, DeletedAt: id === 44 ? '2026-11-01T00:00:00Z' : null }
}

const row = (name: RegExp) => screen.findByRole('row', { name })
const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
// Queries by label and text, because a query by role takes seconds with so many rows.
const box = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const sailorRow = (id: number) => screen.findByText(`sailor${id}`)
const turnTo = (page: number) => fireEvent.click(screen.getByTitle(String(page)))
const inDrawer = async (name: string) =>
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }))

describe('the list of messages', () => {
  it('shows format, audience, recipients, share of readers and progress', async () => {
    open([
      aMessage(),
      aMessage({ id: 13, title: 'Ebb', format: 'html', state: 'sending', planned: 100_000, delivered: 41_230 }),
      aMessage({ id: 14, title: 'Later', state: 'scheduled', target: 'group', group: 'vip', send_at: 1_900_000_000 }),
    ])

    expect((await row(/High tide/)).textContent).toMatch(/12High tideAt nine\.Markdown指定用户4已读 25%.*已发送$/)
    expect((await row(/Ebb/)).textContent).toMatch(/HTML.*发送中41,230 \/ 100,000/)
    expect((await row(/Later/)).textContent).toMatch(/分组 vip4.*定时2030年3月17日 \d\d:\d\d 发送/)
  })

  it('uses its own stored page size', async () => {
    stored.pageSize.set(100)
    stored.messagePageSize.set(50)
    const { sent } = open([aMessage()], { at: '?page=2', total: 60 })

    await row(/High tide/)

    expect(sent('GET', '/api/admin/messages')[0]!.query).toEqual({ p: '2', page_size: '50' })
  })

  it('searches while typing, with both dates or none, and again when the button is pressed', async () => {
    const { sent, address } = open([aMessage()], { at: '?from=2026-11-01' })
    await row(/High tide/)
    expect(sent('GET', '/api/admin/messages')).toHaveLength(1)

    fill('标题或内容', ' tide ')
    await waitFor(() => expect(sent('GET', '/api/admin/messages/search')).toHaveLength(1))
    fireEvent.click(screen.getByRole('button', { name: '查询' }))

    await waitFor(() => expect(sent('GET', '/api/admin/messages/search')).toHaveLength(2))
    expect(sent('GET', '/api/admin/messages/search')[0]!.query).toEqual({ keyword: 'tide', p: '1', page_size: '20' })
    expect(address()).toContain('keyword=tide')
  })

  it('shows what is deleted, and deletes after a confirmation', async () => {
    const { sent } = open([aMessage()], { routes: { 'DELETE /api/admin/messages/12': succeeded() } })
    await row(/High tide/)

    fireEvent.click(screen.getByRole('button', { name: '消息 #12 的更多操作' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: '删除' }))
    await screen.findByText(/全部收件记录（4 条）一起删除，无法恢复/)
    expect(sent('DELETE', '/api/admin/messages/12')).toEqual([])
    await inDrawer('删除')

    await screen.findByText('消息已删除')
  })
})

describe('a new message', () => {
  const create = (routes: Options['routes'] = {}) => open([], { at: '?drawer=create', routes })
  const openPicker = async () => {
    fireEvent.click(await screen.findByRole('button', { name: '选择用户' }))
    await sailorRow(45)
  }
  const createRoute = { 'POST /api/admin/messages': succeeded(aMessage()) }

  it('requires a title, a content and a recipient', async () => {
    const { sent } = create(createRoute)
    await screen.findByLabelText('标题')
    fill('标题', '  ')

    await inDrawer('发送')

    await screen.findByText('请输入消息标题')
    expect(screen.getByText('请输入消息内容')).toBeTruthy()
    expect(screen.getByText('请选择至少一个收件人')).toBeTruthy()
    expect(sent('POST', '/api/admin/messages')).toEqual([])
  })

  it('shows a preview, and is sent to users selected on any page', async () => {
    const { sent } = create(createRoute)
    await openPicker()
    fill('标题', ' Storm ')
    fill('内容', 'Stay **in**.')
    const preview = await screen.findByRole('region', { name: '预览' })
    await waitFor(() => expect(preview.querySelector('strong')?.textContent).toBe('in'))
    fireEvent.click(box('选择 sailor45'))
    turnTo(3)
    await sailorRow(2)
    fireEvent.click(box('选择 sailor2'))
    expect(screen.getByText('已选 2 人')).toBeTruthy()

    await inDrawer('发送')

    await screen.findByText('消息已创建')
    expect(sent('POST', '/api/admin/messages').map(({ body }) => body)).toEqual([
      { title: 'Storm', content: 'Stay **in**.', format: 'markdown', user_ids: [45, 2] },
    ])
  })

  it('selects all users of a page, and clears that checkbox when one is deselected', async () => {
    const { sent } = create()
    await openPicker()
    expect(sent('GET', '/api/user').at(-1)!.query).toEqual({ p: '0', page_size: '20' })
    expect(screen.queryByLabelText('选择 sailor44')).toBeNull() // deregistered

    fireEvent.click(box('选择本页全部'))
    expect(screen.getByText('已选 19 人')).toBeTruthy()
    expect(box('选择本页全部').checked).toBe(true)
    fireEvent.click(box('选择 sailor43'))
    expect(screen.getByText('已选 18 人')).toBeTruthy()
    expect(box('选择本页全部').checked).toBe(false)

    turnTo(2)
    await sailorRow(25)
    expect(box('选择本页全部').checked).toBe(false)
    expect(box('选择 sailor25').checked).toBe(false)
    fireEvent.click(box('选择本页全部'))
    expect(screen.getByText('已选 38 人')).toBeTruthy()
    fireEvent.click(box('选择本页全部'))
    expect(screen.getByText('已选 18 人')).toBeTruthy()
  })

  it('names the selected users, and removes one', async () => {
    create()
    await openPicker()
    fireEvent.click(box('选择 sailor45'))
    fireEvent.click(box('选择 sailor43'))
    fireEvent.click(screen.getByRole('button', { name: '收起列表' }))

    fireEvent.click(screen.getByRole('button', { name: '移除 sailor45' }))

    expect(screen.getByText('已选 1 人')).toBeTruthy()
    expect(screen.getByText('sailor43')).toBeTruthy()
    expect(screen.queryByText('sailor45')).toBeNull()
  })

  it('keeps the selected recipients during a search', async () => {
    const { sent } = create()
    await openPicker()
    fireEvent.click(box('选择 sailor45'))

    fill('用户名、显示名、邮箱或 ID', 'sailor7')

    await sailorRow(7)
    await waitFor(() => expect(screen.queryByLabelText('选择 sailor45')).toBeNull())
    fireEvent.click(screen.getByText('Sailor 7'))
    expect(screen.getByText('已选 2 人')).toBeTruthy()
    expect(box('选择 sailor7').checked).toBe(true)
    expect(sent('GET', '/api/user/search')[0]!.query).toEqual({ keyword: 'sailor7', p: '1', page_size: '20' })
  })

  it('is sent to all users only after a confirmation with their number', async () => {
    const { sent } = create(createRoute)
    await screen.findByLabelText('标题')
    fill('标题', 'Storm')
    fill('内容', 'Stay in.')
    fireEvent.click(screen.getByRole('radio', { name: '全体用户' }))

    await inDrawer('发送')
    await screen.findByText(/全站现有 45 个账户/)
    expect(sent('POST', '/api/admin/messages')).toEqual([])
    fireEvent.click(screen.getByRole('button', { name: '发送给全体用户' }))

    await screen.findByText('消息已创建')
    expect(sent('POST', '/api/admin/messages')[0]!.body).toMatchObject({ all: true })
    expect(sent('POST', '/api/admin/messages')[0]!.body).not.toHaveProperty('user_ids')
  })

  it('requires a group if sent to a group, and a time if scheduled', async () => {
    create({ 'GET /api/group': succeeded(['default', 'vip']) })
    fireEvent.click(await screen.findByRole('radio', { name: '分组' }))
    fireEvent.click(screen.getByRole('radio', { name: '定时发送' }))

    await inDrawer('定时发送')

    await screen.findByText('请选择一个分组')
    await screen.findByText('请选择发送时间')
  })

  it('shows unknown recipients at their field', async () => {
    create({ 'POST /api/admin/messages': refused('recipients_unknown', '以下用户不存在或已注销：45') })
    await openPicker()
    fill('标题', 'Storm')
    fill('内容', 'Stay in.')
    fireEvent.click(box('选择 sailor45'))

    await inDrawer('发送')

    await screen.findByText('以下用户不存在或已注销：45')
    expect(screen.getByLabelText('标题')).toBeTruthy()
  })
})

describe('the editor of a message', () => {
  const recipients: MessageRecipient[] = [
    { user_id: 3, username: 'mira', display_name: 'Mira', read_at: '2026-11-15T10:00:00.000Z' },
    { user_id: 4, username: 'nils', display_name: '', read_at: null },
  ]
  const edit = (message: Message) =>
    open([message], {
      at: '?drawer=edit&id=12',
      routes: {
        'GET /api/admin/messages/12': succeeded(message),
        'GET /api/admin/messages/12/recipients': succeeded({ items: recipients, total: 23, page: 1, page_size: 10 }),
        'PUT /api/admin/messages/12': succeeded(message),
      },
    })

  it('shows who has read it, ten per page, and sends only title, content and format', async () => {
    const { sent } = edit(aMessage())
    const dialog = await screen.findByRole('dialog')
    const list = await within(dialog).findByRole('table', { name: '收件人列表' })
    expect(within(list).getByRole('row', { name: /mira/ }).textContent).toMatch(/^3miraMira已读\d/)
    expect(within(list).getByRole('row', { name: /nils/ }).textContent).toBe('4nils–未读–')
    expect(dialog.textContent).toMatch(/消息 ID12.*收件人数4已读人数1 \(25%\)/)
    fireEvent.click(within(dialog).getByRole('listitem', { name: '2' }))
    await waitFor(() =>
      expect(sent('GET', '/api/admin/messages/12/recipients').at(-1)!.query).toEqual({ p: '2', page_size: '10' }),
    )
    fill('标题', 'Low tide')
    fireEvent.click(screen.getByRole('radio', { name: 'HTML' }))

    await inDrawer('保存')

    await screen.findByText('消息已更新')
    expect(sent('PUT', '/api/admin/messages/12')[0]!.body).toEqual({
      title: 'Low tide',
      content: 'At **nine**.',
      format: 'html',
    })
  })

  it('can send a scheduled message immediately', async () => {
    const { sent } = edit(aMessage({ state: 'scheduled', target: 'group', group: 'vip', send_at: 1_900_000_000 }))
    fireEvent.click(await screen.findByRole('radio', { name: '立即发送' }))

    await inDrawer('保存')

    await screen.findByText('消息已更新')
    expect(sent('PUT', '/api/admin/messages/12')[0]!.body).toMatchObject({ send_at: null })
  })
})
