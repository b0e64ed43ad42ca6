import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { useSession } from '../../api/session.ts'
import { stored } from '../../lib/stored.ts'
import { fakeServer, refused, succeeded, type SeenRequest } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aStatus, aUser } from '../../../test/samples.ts'
import { PaletteHost } from './palette-host.tsx'
import { closePalette } from './use-palette.ts'

beforeAll(() => {
  Element.prototype.scrollIntoView = () => {} // not implemented by jsdom
})

// The state outlives the test, and an open palette disables other shortcuts.
afterEach(closePalette)

const ADMIN = 10
const REQUEST_ID = '20261115093005123AbCdEfGh'

function open(role = 1, routes: Parameters<typeof fakeServer>[0] = NO_RESULTS) {
  closePalette()
  useSession.setState({ user: role === 0 ? null : aUser({ role }), ended: null })
  const server = fakeServer(routes)
  const view = renderScreen(Page, { at: '/start', status: aStatus({ docs_link: 'https://docs.example' }) })
  return { ...view, ...server, user: userEvent.setup({ delay: null, pointerEventsCheck: 0 }) }
}

function Page() {
  return (
    <>
      <input aria-label="名称" />
      <PaletteHost />
    </>
  )
}

const prices = (...models: string[]) => ({
  'GET /api/pricing': {
    json: { success: true, data: models.map((name) => ({ model_name: name })), group_ratio: {}, usable_group: {} },
  },
})

const NO_RESULTS = {
  ...prices(),
  'GET /api/token/search': succeeded([]),
  'GET /api/user/search': succeeded({ items: [], total: 0, page: 1, page_size: 5 }),
  'GET /api/channel/search': succeeded([]),
}
const RESULTS = {
  ...prices('gpt-6', 'org/model-7b'),
  'GET /api/token/search': succeeded([{ id: 3, name: 'build server' }]),
  'GET /api/user/search': succeeded({
    items: [
      { id: 8, username: 'bosun', display_name: 'Bo Sun', role: 1 },
      { id: 9, username: 'builder', display_name: '', role: 100 },
    ],
    total: 2,
  }),
  'GET /api/channel/search': succeeded([{ id: 5, name: 'backup' }]),
}

const field = () => screen.findByRole('combobox', { name: '命令面板' })
const options = () => screen.queryAllByRole('option').map((option) => option.textContent)
const selected = () => screen.getByRole('option', { selected: true }).textContent

describe('the palette', () => {
  it('keeps keys that are typed before its field has the focus', async () => {
    open()
    const press = (init: KeyboardEventInit) => fireEvent.keyDown(document.body, init)
    press({ key: 'k', ctrlKey: true })
    for (const key of ['o', 'p', 'x', 'Backspace', 'e', 'n']) press({ key })

    expect(await field()).toHaveProperty('value', 'open')
  })

  it('opens by its shortcut from another field and restores the focus', async () => {
    const { user } = open()
    const other = screen.getByRole('textbox', { name: '名称' })
    await user.click(other)

    await user.keyboard('{Control>}k{/Control}')
    await waitFor(async () => expect(document.activeElement).toBe(await field()))
    await user.keyboard('{Escape}')

    await waitFor(() => expect(document.activeElement).toBe(other))
    expect(screen.queryByRole('combobox')).toBeNull()
  })

  it.each([
    [0, ['首页', '登录', '注册'], ['API 令牌', '渠道', '添加令牌', '退出登录']],
    [1, ['API 令牌', '钱包', '站内信', '添加令牌', '退出登录'], ['渠道', '添加渠道', '添加用户', '登录']],
    [ADMIN, ['渠道', '用户管理', '添加渠道', '添加用户', '添加兑换码', '新建消息'], ['审计日志']],
    [100, ['审计日志', '系统设置'], ['登录']],
  ])('offers role %i only its pages and actions', async (role, offered, hidden) => {
    const { user } = open(role)
    await user.keyboard('{Control>}k{/Control}')
    await field()

    expect(options()).toEqual(expect.arrayContaining(offered))
    expect(options().filter((name) => hidden.includes(name))).toEqual([])
  })

  it.each(['usage', '使用', 'syrz', 'shiyong'])('finds a page by "%s"', async (query) => {
    const { user, address } = open()
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), query)
    expect(selected()).toBe('使用日志')

    await user.keyboard('{Enter}')

    await waitFor(() => expect(address()).toBe('/app/logs/api-usage'))
    expect(screen.queryByRole('combobox')).toBeNull()
  })

  it('selects an entry with the arrow keys, wrapping around', async () => {
    const { user } = open()
    await user.keyboard('{Control>}k{/Control}')
    const input = await field()
    await waitFor(() => expect(document.activeElement).toBe(input))
    const all = options()

    await user.keyboard('{ArrowUp}')
    expect(selected()).toBe(all.at(-1))
    await user.keyboard('{Home}{ArrowDown}')
    expect(selected()).toBe(all[1])
    expect(document.getElementById(input.getAttribute('aria-activedescendant')!)?.textContent).toBe(all[1])
    await user.keyboard('{End}')
    expect(selected()).toBe(all.at(-1))
    expect(document.activeElement).toBe(input)
  })

  it('opens a form', async () => {
    const { user, address } = open()
    await user.keyboard('{Control>}k{/Control}')

    await user.click(await screen.findByRole('option', { name: '添加令牌' }))

    await waitFor(() => expect(address()).toBe('/app/tokens?drawer=create'))
  })
})

describe('search results of the server', () => {
  it('are shown to an administrator with their paths', async () => {
    const { user, address } = open(ADMIN, RESULTS)
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'b')
    await user.type(await field(), 'u')

    await screen.findByRole('option', { name: /backup/ })
    expect(options()).toEqual(expect.arrayContaining(['build server#3', 'bosunBo Sun · #8', 'backup#5']))
    await user.click(screen.getByRole('option', { name: /bosun/ }))
    await waitFor(() => expect(address()).toBe('/admin/users?drawer=edit&id=8'))
  })

  it('open the list for a user of a higher role', async () => {
    const { user, address } = open(ADMIN, RESULTS)
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'builder')

    await user.click(await screen.findByRole('option', { name: /^builder/ }))

    await waitFor(() => expect(address()).toBe('/admin/users?keyword=builder'))
  })

  it('are only the own tokens of a user, debounced', async () => {
    const { user, seen } = open(1, RESULTS)
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'build')

    await screen.findByRole('option', { name: /build server/ })
    const searches = seen.filter(({ path }) => path !== '/api/pricing')
    expect(searches.map(({ path, query }) => [path, query.keyword])).toEqual([['/api/token/search', 'build']])
  })

  it('say that a search failed and show the other results', async () => {
    const { user } = open(ADMIN, { ...RESULTS, 'GET /api/user/search': refused('internal_error', '坏了', 500) })
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'ba')

    await screen.findByText(/^用户搜索失败/)
    expect(options()).toEqual(expect.arrayContaining(['backup#5']))
  })

  it('abort outdated requests', async () => {
    const first = Promise.withResolvers<ReturnType<typeof succeeded>>()
    const search = ({ query }: SeenRequest) =>
      query.keyword === 'sa' ? first.promise : succeeded([{ id: 4, name: 'sail' }])
    const { user, seen } = open(1, { ...prices(), 'GET /api/token/search': search })
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'sa')
    await waitFor(() => expect(seen.some(({ path }) => path === '/api/token/search')).toBe(true))
    await screen.findAllByText('正在查找…')
    await user.type(await field(), 'il')

    await screen.findByRole('option', { name: /sail/ })
    first.resolve(succeeded([{ id: 2, name: 'salt' }]))
    await waitFor(() => expect(screen.queryByText('正在查找…')).toBeNull())
    expect(screen.queryByRole('option', { name: /salt/ })).toBeNull()
  })

  it('open a model', async () => {
    const { user, address } = open(1, RESULTS)
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'model')

    await user.click(await screen.findByRole('option', { name: 'org/model-7b' }))

    await waitFor(() => expect(address()).toBe('/pricing/org%2Fmodel-7b'))
  })

  it('open a request by its ID', async () => {
    const { user, address } = open()
    await user.keyboard('{Control>}k{/Control}')
    await user.click(await field())
    await user.paste(` ${REQUEST_ID} `)
    expect(selected()).toContain(REQUEST_ID)

    await user.keyboard('{Enter}')

    await waitFor(() => expect(address()).toBe(`/app/logs/request/${REQUEST_ID}`))
  })

  it('say that nothing was found', async () => {
    const { user } = open()
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await field(), 'zzzz')

    await screen.findByText('没有找到“zzzz”')
    expect(screen.getByRole('status').textContent).toBe('0 个结果')
  })
})

describe('recent commands', () => {
  it('come first, and only those of the user', async () => {
    const { user, address } = open()
    await user.keyboard('{Control>}k{/Control}')
    await user.click(await screen.findByRole('option', { name: '钱包' }))
    await waitFor(() => expect(address()).toBe('/app/wallet'))
    expect(stored.recentCommands.get()).toMatchObject({ user: 7, choices: [{ id: 'go:wallet' }] })

    const again = open()
    await again.user.keyboard('{Control>}k{/Control}')
    await field()
    expect(options()[0]).toBe('钱包')
    expect(options().filter((name) => name === '钱包')).toHaveLength(1)

    useSession.setState({ user: aUser({ id: 8 }), ended: null })
    await waitFor(() => expect(options()[0]).not.toBe('钱包'))
  })
})
