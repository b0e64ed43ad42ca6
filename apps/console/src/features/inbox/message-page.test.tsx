import type { InboxMessage } from '@tidegate/contract/api'
import { render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, describe, expect, it } from 'vitest'
import { Providers } from '../../app/providers.tsx'
import { newQueryClient } from '../../api/query-client.ts'
import { rememberUser } from '../../api/session.ts'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { anInboxMessage } from '../../../test/sample-inbox.ts'
import { aUser } from '../../../test/samples.ts'
import MessagePage from './message-page.tsx'
import { inboxQuery } from './api.ts'
import { unreadQuery } from './unread.ts'

beforeEach(() => rememberUser(aUser()))

const READ_AT = '2026-11-15T10:00:00.000Z'
const asRead = (changes: Partial<InboxMessage> = {}) => anInboxMessage({ is_read: true, read_at: READ_AT, ...changes })

function open(id: string, response = succeeded(asRead())) {
  const server = fakeServer({
    [`GET /api/user/messages/${id}`]: response,
    'GET /api/user/messages/unread_count': succeeded({ unread_count: 2 }),
  })
  const client = newQueryClient()
  const router = createMemoryRouter(
    [
      { path: '/app/inbox/:id', Component: MessagePage },
      { path: '*', element: null },
    ],
    { initialEntries: [{ pathname: `/app/inbox/${id}`, state: { inbox: '?page=2' } }] },
  )
  const draw = () =>
    render(
      <Providers client={client}>
        <RouterProvider router={router} />
      </Providers>,
    )
  return { ...server, client, draw, address: () => router.state.location.pathname + router.state.location.search }
}

describe('a message', () => {
  it('shows its times and links back to its page of the list', async () => {
    open('5').draw()

    await screen.findByRole('heading', { level: 1, name: 'High tide' })

    expect(screen.getByText(/^发送于 2026-11-15 /)).toBeTruthy()
    expect(screen.getByText(/^阅读于 2026-11-15 /)).toBeTruthy()
    expect(screen.queryByText(/格式$/)).toBeNull()
    await waitFor(() => expect(document.querySelector('strong')?.textContent).toBe('nine'))
    expect(screen.getByRole('link', { name: '返回站内信' }).getAttribute('href')).toBe('/app/inbox?page=2')
  })

  it('names a format that is not Markdown', async () => {
    open('5', succeeded(asRead({ format: 'html', content: '<p>At <em>nine</em>.</p>' }))).draw()

    await screen.findByText('HTML 格式')
    await waitFor(() => expect(document.querySelector('em')?.textContent).toBe('nine'))
  })

  it('shows an unknown format as plain text', async () => {
    open('5', succeeded({ ...asRead(), format: 'plain', content: 'At **nine**.\n  <b>Ahoy</b>' })).draw()

    expect((await screen.findByText(/At \*\*nine/)).textContent).toBe('At **nine**.\n  <b>Ahoy</b>')
    expect(screen.getByText('PLAIN 格式')).toBeTruthy()
  })

  it('is marked as read in the list and in the unread count without a reload', async () => {
    const { client, draw, seen } = open('5')
    client.setQueryData(inboxQuery(1).queryKey, { items: [anInboxMessage()], total: 1, page: 1, page_size: 10 })
    client.setQueryData(unreadQuery.queryKey, 3)
    draw()

    await waitFor(() => expect(client.getQueryData(unreadQuery.queryKey)).toBe(2))

    expect(client.getQueryData(inboxQuery(1).queryKey)?.items[0]).toMatchObject({ is_read: true, read_at: READ_AT })
    expect(seen.map(({ path }) => path)).toEqual(['/api/user/messages/5'])
  })

  it('returns to the inbox if it does not exist', async () => {
    const { draw, address } = open('99', refused('message_not_found', '消息不存在或无权访问'))
    draw()

    await screen.findByText('消息不存在')
    expect(address()).toBe('/app/inbox?page=2')
  })

  it('is not requested if its ID is not a number', async () => {
    const { draw, address, seen } = open('5x')
    draw()

    await screen.findByText('消息不存在')
    expect(address()).toBe('/app/inbox?page=2')
    expect(seen).toEqual([])
  })

  it('offers a retry if it cannot be loaded', async () => {
    open('5', refused('internal_error', '', 500)).draw()

    await screen.findByText('加载消息失败')
    expect(screen.getByRole('button', { name: '重试' })).toBeTruthy()
  })
})
