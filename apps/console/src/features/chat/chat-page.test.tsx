import { act, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Providers } from '../../app/providers.tsx'
import { newQueryClient } from '../../api/query-client.ts'
import { forgetUser, rememberUser } from '../../api/session.ts'
import { statusQuery } from '../../api/status.ts'
import { eventually } from '../../../test/eventually.ts'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { aStatus, aUser } from '../../../test/samples.ts'
import ChatPage from './chat-page.tsx'
import ChatRedirectPage from './chat-redirect-page.tsx'
import { openingMethod } from './use-chat.ts'

const CHATS: Record<string, string>[] = [
  { Harbour: 'https://chat.example/#/?k={key}&u={address}' },
  { App: 'app://join?k={key}' },
  { Script: 'javascript:alert("{key}")' },
  { Empty: 'https://' },
]
const TOKENS = [
  { key: 'off', status: 2 },
  { key: 'first', status: 1 },
  { key: 'second', status: 1 },
]

beforeEach(() => rememberUser(aUser()))

interface Options {
  embedding?: 'allowed' | 'refused' | 'unreachable'
  answer?: ReturnType<typeof succeeded>
  chats?: typeof CHATS
}

function open(at: string, { answer = succeeded(TOKENS), chats = CHATS, embedding = 'allowed' }: Options = {}) {
  const { seen } = fakeServer({ 'GET /api/token': answer, 'GET /api/chat_embedding': succeeded(embedding) })
  const client = newQueryClient()
  client.setQueryData(statusQuery.queryKey, aStatus({ chats, server_address: 'https://gate.example' }))
  const router = createMemoryRouter(
    [
      { path: '/chat/:id?', Component: ChatPage },
      { path: '/chat2link', Component: ChatRedirectPage },
      { path: '*', element: null },
    ],
    { initialEntries: [at] },
  )
  render(
    <Providers client={client}>
      <RouterProvider router={router} />
    </Providers>,
  )
  return { seen, address: () => router.state.location.pathname + router.state.location.search }
}

describe('a saved chat', () => {
  it.each(['/chat', '/chat/0'])('is embedded at %s with the first enabled token', async (at) => {
    const { seen } = open(at)

    const frame = await screen.findByTitle('Harbour')

    expect(frame.getAttribute('src')).toBe('https://chat.example/#/?k=sk-first&u=https%3A%2F%2Fgate.example')
    expect(frame.getAttribute('sandbox')).toContain('allow-same-origin')
    expect(frame.getAttribute('sandbox')).not.toContain('allow-top-navigation')
    expect(seen.map(({ path, query }) => [path, query])).toEqual([
      ['/api/token', { p: '0', size: '100' }],
      ['/api/chat_embedding', { index: '0' }],
    ])
  })

  it('that does not load offers a new tab with its address', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    open('/chat/0')
    const frame = await screen.findByTitle('Harbour')

    await act(() => vi.advanceTimersByTimeAsync(5000))

    expect(screen.getByRole('heading', { name: 'chat.example 尚未加载完成' })).toBeTruthy()
    expect(screen.getAllByRole('link', { name: '在新标签页打开' })).toHaveLength(2)
    fireEvent.load(frame)
    expect(screen.queryByRole('heading', { name: /尚未加载完成/ })).toBeNull()
    vi.useRealTimers()
  })

  it.each([
    ['refused', 'Harbour 需要在新标签页中打开'],
    ['unreachable', 'chat.example 没有响应'],
  ] as const)('that is %s is not a blank page, and can be shown anyway', async (embedding, title) => {
    open('/chat/0', { embedding })

    expect(await screen.findByRole('heading', { name: title })).toBeTruthy()
    expect(document.querySelector('iframe')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: '仍在此处显示' }))

    expect(await screen.findByTitle('Harbour')).toBeTruthy()
  })

  it('on the same site has no origin, because it could remove its sandbox', async () => {
    open('/chat', { chats: [{ Here: `${window.location.origin}/talk` }] })

    expect((await screen.findByTitle('Here')).getAttribute('sandbox')).not.toContain('allow-same-origin')
  })

  it('of an app is a link', async () => {
    open('/chat/1')

    const link = await screen.findByRole('link', { name: '打开 App' })

    expect(link.getAttribute('href')).toBe('app://join?k=sk-first')
    expect(link.getAttribute('target')).toBeNull()
    expect(document.querySelector('iframe')).toBeNull()
  })

  it('offers the playground if the site has none, and the settings to the super admin', async () => {
    rememberUser(aUser({ role: 100 }))
    const { address } = open('/chat', { chats: [] })
    await screen.findByRole('heading', { name: '还没有聊天应用' })
    expect(screen.getByRole('button', { name: '添加聊天应用' })).toBeTruthy()

    fireEvent.click(screen.getByRole('button', { name: '打开模型调试' }))

    await eventually(() => expect(address()).toBe('/playground'))
  })

  it.each(['/chat/2', '/chat/3', '/chat/9', '/chat/one', '/chat/-1'])(
    'shows a configuration error at %s',
    async (at) => {
      open(at)

      expect(await screen.findByRole('heading', { name: '聊天链接配置错误，请联系管理员' })).toBeTruthy()
      expect(document.querySelector('iframe')).toBeNull()
    },
  )
})

describe('a chat that cannot be opened', () => {
  it('reports that no token is enabled and opens the token list', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { address } = open('/chat', { answer: succeeded([{ key: 'off', status: 2 }]) })
    expect(await screen.findByRole('heading', { name: /当前没有可用的启用令牌/ })).toBeTruthy()
    expect(address()).toBe('/chat')

    await vi.advanceTimersByTimeAsync(1500)

    expect(address()).toBe('/app/tokens')
    vi.useRealTimers()
  })

  it('links to the sign-in page, which returns to the chat', async () => {
    forgetUser('logged-out')
    const { seen, address } = open('/chat/0')

    screen.getByRole('button', { name: '登录' }).click()

    await eventually(() => expect(address()).toBe('/login?returnTo=%2Fchat%2F0'))
    expect(seen).toEqual([])
  })

  it('offers a retry if the tokens cannot be loaded', async () => {
    open('/chat', { answer: refused('internal_error', '出错了', 500) })

    expect(await screen.findByText('聊天打开失败')).toBeTruthy()
    expect(screen.getByRole('button', { name: '重试' })).toBeTruthy()
  })
})

describe('the redirect to a chat', () => {
  it('shows the link of an app', async () => {
    open('/chat2link', { chats: [{ App: 'app://join?k={key}' }] })

    expect((await screen.findByRole('link', { name: '打开 App' })).getAttribute('href')).toBe('app://join?k=sk-first')
  })

  it('says that no chat is saved', async () => {
    open('/chat2link', { chats: [] })

    expect(await screen.findByRole('heading', { name: '还没有聊天应用' })).toBeTruthy()
  })
})

it.each([
  ['https://chat.example/', 'https:', 'frame'],
  ['http://chat.lan/', 'http:', 'frame'],
  ['http://chat.lan/', 'https:', 'link'],
  ['HTTPS://chat.example/', 'https:', 'frame'],
  ['opencat://join?k=1', 'https:', 'link'],
  ['https://', 'https:', null],
] as const)('opens %s from a page with %s as %s', (address, protocol, method) => {
  expect(openingMethod(address, { protocol })).toBe(method)
})
