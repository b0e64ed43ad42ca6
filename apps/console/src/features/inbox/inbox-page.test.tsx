import type { InboxMessage } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { anInboxMessage } from '../../../test/sample-inbox.ts'
import { aUser } from '../../../test/samples.ts'
import InboxPage from './inbox-page.tsx'

beforeEach(() => rememberUser(aUser()))

interface Options {
  at?: string
  total?: number
  routes?: Parameters<typeof fakeServer>[0]
}

function open(messages: InboxMessage[], { at = '', total = messages.length, routes = {} }: Options = {}) {
  const server = fakeServer({
    'GET /api/user/messages': succeeded({ items: messages, total, page: 1, page_size: 10 }),
    ...routes,
  })
  return { ...server, ...renderScreen(InboxPage, { at: `/app/inbox${at}` }) }
}

const items = async () => within(await screen.findByRole('list', { name: '消息列表' })).getAllByRole('listitem')

describe('the inbox', () => {
  it('marks unread messages and shows previews as plain text', async () => {
    const marked = anInboxMessage({ preview: 'a < b & <b>bold</b>' })
    const read = anInboxMessage({ id: 4, title: 'Ebb', is_read: true, read_at: '2026-11-15T10:00:00.000Z' })
    open([marked, read])

    const [first, second] = await items()

    expect(first!.textContent).toContain('High tide未读')
    expect(first!.textContent).toContain('a < b & <b>bold</b>')
    expect(first!.querySelector('b')).toBeNull()
    expect(within(first!).getByRole('link').getAttribute('href')).toBe('/app/inbox/5')
    expect(second!.textContent).not.toContain('未读')
    expect([first, second].map((item) => item!.hasAttribute('data-unread'))).toEqual([true, false])
  })

  it('has a pager with a page field only for more than one page', async () => {
    const one = open([anInboxMessage()], { total: 10 })
    await items()
    expect(screen.queryByRole('navigation', { name: '分页' })).toBeNull()
    one.unmount()

    const { seen, address } = open([anInboxMessage()], { total: 51 })
    await items()
    const pages = screen.getByRole('navigation', { name: '分页' })
    expect(pages.textContent).toContain('第 1–1 条，共 51 条')
    const field = within(pages).getByRole('textbox')
    fireEvent.change(field, { target: { value: '3' } })
    fireEvent.keyUp(field, { key: 'Enter', keyCode: 13 })

    await waitFor(() => expect(seen.at(-1)!.query).toEqual({ p: '3', page_size: '20' }))
    expect(address()).toBe('/app/inbox?page=3')
  })

  it('shows that there are no messages, or that they cannot be loaded', async () => {
    const empty = open([])
    await screen.findByText('暂无消息')
    empty.unmount()

    open([], { routes: { 'GET /api/user/messages': refused('internal_error', '', 500) } })

    await screen.findByText('加载消息失败')
    expect(screen.getByRole('button', { name: '重试' })).toBeTruthy()
  })

  it('marks all messages as read', async () => {
    const { seen } = open([anInboxMessage(), anInboxMessage({ id: 4, title: 'Ebb' })], {
      routes: { 'POST /api/user/messages/read_all': succeeded(2) },
    })
    await items()

    fireEvent.click(screen.getByRole('button', { name: '全部标为已读' }))

    await screen.findByText('已将 2 条消息标为已读')
    expect((await items()).some((item) => item.hasAttribute('data-unread'))).toBe(false)
    expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })
})
