import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, it } from 'vitest'
import { useSession } from '../../api/session.ts'
import { stored } from '../../lib/stored.ts'
import { fakeServer, refused, succeeded, type SeenRequest } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aStatus, aUser } from '../../../test/samples.ts'
import { PaletteHost } from './palette-host.tsx'
import { closePalette } from './use-palette.ts'

beforeAll(() => {
  Element.prototype.scrollIntoView = () => {} // nothing can be scrolled here
})

const ADMIN = 10
const REQUEST_ID = '20261115093005123AbCdEfGh'

function open(role = 1, routes: Parameters<typeof fakeServer>[0] = NOTHING_FOUND) {
  closePalette()
  useSession.setState({ user: role === 0 ? null : aUser({ role }), ended: null })
  const server = fakeServer(routes)
  const view = renderScreen(Place, { at: '/start', status: aStatus({ docs_link: 'https://docs.example' }) })
  return { ...view, ...server, person: userEvent.setup({ delay: null, pointerEventsCheck: 0 }) }
}

function Place() {
  return (
    <>
      <input aria-label="名称" />
      <PaletteHost />
    </>
  )
}

const NOTHING_FOUND = {
  'GET /api/token/search': succeeded([]),
  'GET /api/user/search': succeeded({ items: [], total: 0, page: 1, page_size: 5 }),
  'GET /api/channel/search': succeeded([]),
}
const FOUND = {
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
const marked = () => screen.getByRole('option', { selected: true }).textContent

describe('the palette', () => {
  it('keeps what is typed before its field has the focus', async () => {
    open()
    const press = (init: KeyboardEventInit) => fireEvent.keyDown(document.body, init)
    press({ key: 'k', ctrlKey: true })
    for (const key of ['o', 'p', 'x', 'Backspace', 'e', 'n']) press({ key })

    expect(await field()).toHaveProperty('value', 'open')
  })

  it('opens by its keys while somebody types elsewhere, and gives the focus back when it is left', async () => {
    const { person } = open()
    const elsewhere = screen.getByRole('textbox', { name: '名称' })
    await person.click(elsewhere)

    await person.keyboard('{Control>}k{/Control}')
    await waitFor(async () => expect(document.activeElement).toBe(await field()))
    await person.keyboard('{Escape}')

    await waitFor(() => expect(document.activeElement).toBe(elsewhere))
    expect(screen.queryByRole('combobox')).toBeNull()
  })

  it.each([
    [0, ['首页', '登录', '注册'], ['API 令牌', '渠道', '添加令牌', '退出登录']],
    [1, ['API 令牌', '钱包', '站内信', '添加令牌', '退出登录'], ['渠道', '添加渠道', '添加用户', '登录']],
    [ADMIN, ['渠道', '用户管理', '添加渠道', '添加用户', '添加兑换码', '新建消息'], ['审计日志']],
    [100, ['审计日志', '系统设置'], ['登录']],
  ])('offers role %i what it may see and do, and nothing else', async (role, offered, withheld) => {
    const { person } = open(role)
    await person.keyboard('{Control>}k{/Control}')
    await field()

    expect(options()).toEqual(expect.arrayContaining(offered))
    expect(options().filter((name) => withheld.includes(name))).toEqual([])
  })

  it.each(['usage', '使用', 'syrz', 'shiyong'])('finds a screen by "%s"', async (words) => {
    const { person, address } = open()
    await person.keyboard('{Control>}k{/Control}')
    await person.type(await field(), words)
    expect(marked()).toBe('使用日志')

    await person.keyboard('{Enter}')

    await waitFor(() => expect(address()).toBe('/app/logs/api-usage'))
    expect(screen.queryByRole('combobox')).toBeNull()
  })

  it('moves its mark with the keys, round the ends, and says where it is', async () => {
    const { person } = open()
    await person.keyboard('{Control>}k{/Control}')
    const input = await field()
    await waitFor(() => expect(document.activeElement).toBe(input))
    const all = options()

    await person.keyboard('{ArrowUp}')
    expect(marked()).toBe(all.at(-1))
    await person.keyboard('{Home}{ArrowDown}')
    expect(marked()).toBe(all[1])
    expect(document.getElementById(input.getAttribute('aria-activedescendant')!)?.textContent).toBe(all[1])
    await person.keyboard('{End}')
    expect(marked()).toBe(all.at(-1))
    expect(document.activeElement).toBe(input)
  })

  it('opens a form over its list', async () => {
    const { person, address } = open()
    await person.keyboard('{Control>}k{/Control}')

    await person.click(await screen.findByRole('option', { name: '添加令牌' }))

    await waitFor(() => expect(address()).toBe('/app/tokens?drawer=create'))
  })
})

describe('what the server knows', () => {
  it('is found for an administrator, each with its address', async () => {
    const { person, address } = open(ADMIN, FOUND)
    await person.keyboard('{Control>}k{/Control}')
    await person.type(await field(), 'b')
    await person.type(await field(), 'u')

    await screen.findByRole('option', { name: /backup/ })
    expect(options()).toEqual(expect.arrayContaining(['build server#3', 'bosunBo Sun · #8', 'backup#5']))
    await person.click(screen.getByRole('option', { name: /bosun/ }))
    await waitFor(() => expect(address()).toBe('/admin/users?drawer=edit&id=8'))
  })

  it('shows somebody of a higher rank in the list, where they cannot be opened', async () => {
    const { person, address } = open(ADMIN, FOUND)
    await person.keyboard('{Control>}k{/Control}')
    await person.type(await field(), 'builder')

    await person.click(await screen.findByRole('option', { name: /^builder/ }))

    await waitFor(() => expect(address()).toBe('/admin/users?keyword=builder'))
  })

  it('is for a user their own tokens only, asked for once the typing pauses', async () => {
    const { person, seen } = open(1, FOUND)
    await person.keyboard('{Control>}k{/Control}')
    await person.type(await field(), 'build')

    await screen.findByRole('option', { name: /build server/ })
    expect(seen.map(({ path, query }) => [path, query.keyword])).toEqual([['/api/token/search', 'build']])
  })

  it('leaves out what could not be asked, says so, and keeps the rest', async () => {
    const { person } = open(ADMIN, { ...FOUND, 'GET /api/user/search': refused('internal_error', '坏了', 500) })
    await person.keyboard('{Control>}k{/Control}')
    await person.type(await field(), 'ba')

    await screen.findByText(/^用户搜索失败/)
    expect(options()).toEqual(expect.arrayContaining(['backup#5']))
  })

  it('hangs up on a question nobody waits for, and shows only the answer to the last', async () => {
    const first = Promise.withResolvers<ReturnType<typeof succeeded>>()
    const answer = ({ query }: SeenRequest) =>
      query.keyword === 'sa' ? first.promise : succeeded([{ id: 4, name: 'sail' }])
    const { person, seen } = open(1, { 'GET /api/token/search': answer })
    await person.keyboard('{Control>}k{/Control}')
    await person.type(await field(), 'sa')
    await waitFor(() => expect(seen).toHaveLength(1))
    await screen.findAllByText('正在查找…')
    await person.type(await field(), 'il')

    await screen.findByRole('option', { name: /sail/ })
    first.resolve(succeeded([{ id: 2, name: 'salt' }]))
    await waitFor(() => expect(screen.queryByText('正在查找…')).toBeNull())
    expect(screen.queryByRole('option', { name: /salt/ })).toBeNull()
  })

  it('opens a request by its whole number', async () => {
    const { person, address } = open()
    await person.keyboard('{Control>}k{/Control}')
    await person.click(await field())
    await person.paste(` ${REQUEST_ID} `)
    expect(marked()).toContain(REQUEST_ID)

    await person.keyboard('{Enter}')

    await waitFor(() => expect(address()).toBe(`/app/logs/request/${REQUEST_ID}`))
  })

  it('says when there is nothing', async () => {
    const { person } = open()
    await person.keyboard('{Control>}k{/Control}')
    await person.type(await field(), 'zzzz')

    await screen.findByText('没有找到“zzzz”')
    expect(screen.getByRole('status').textContent).toBe('0 个结果')
  })
})

describe('recent choices', () => {
  it('come first the next time, and are those of this person', async () => {
    const { person, address } = open()
    await person.keyboard('{Control>}k{/Control}')
    await person.click(await screen.findByRole('option', { name: '钱包' }))
    await waitFor(() => expect(address()).toBe('/app/wallet'))
    expect(stored.recentCommands.get()).toMatchObject({ user: 7, choices: [{ id: 'go:wallet' }] })

    const again = open()
    await again.person.keyboard('{Control>}k{/Control}')
    await field()
    expect(options()[0]).toBe('钱包')
    expect(options().filter((name) => name === '钱包')).toHaveLength(1)

    useSession.setState({ user: aUser({ id: 8 }), ended: null })
    await waitFor(() => expect(options()[0]).not.toBe('钱包'))
  })
})
