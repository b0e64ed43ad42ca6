import type { Redemption } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aUser } from '../../../test/samples.ts'
import CodesPage from './codes-page.tsx'

const KEY = '0123456789abcdef0123456789abcdef'

const aCode = (changes: Partial<Redemption> = {}): Redemption => ({
  id: 12,
  user_id: 1,
  key: KEY,
  status: 1,
  name: 'Spring',
  quota: 750_000,
  is_gift: false,
  max_uses: -1,
  used_count: 0,
  created_time: 1_700_000_000,
  redeemed_time: 0,
  used_user_id: 0,
  valid_from: 0,
  valid_until: 0,
  ...changes,
})

beforeEach(() => rememberUser(aUser({ id: 1, username: 'operator', role: 100 })))

interface Options {
  at?: string
  total?: number
  routes?: Parameters<typeof fakeServer>[0]
}

function open(codes: Redemption[], { at = '', total = codes.length, routes = {} }: Options = {}) {
  const page = succeeded({ items: codes, total, page: 1, page_size: 10 })
  const server = fakeServer({
    'GET /api/redemption': page,
    'GET /api/redemption/search': page,
    'GET /api/redemption/summary': succeeded({ all: 9, unused: 5, disabled: 3, used: 1, expired: 2 }),
    ...routes,
  })
  const view = renderScreen(CodesPage, { at: `/admin/coupons${at}` })
  const sent = (method: string, path: string) =>
    server.seen.filter((request) => request.method === method && request.path === path)
  return { ...view, sent }
}

const row = (name: RegExp) => screen.findByRole('row', { name })
const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const openMenu = async (name: string) => {
  click(`${name} 的更多操作`)
  return await screen.findAllByRole('menuitem')
}
async function choose(name: string, entry: string) {
  const entries = await openMenu(name)
  fireEvent.click(entries.find(({ textContent }) => textContent === entry)!)
}
const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const inDialog = async (name: string) =>
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }))

describe('the list of codes', () => {
  it('sends 1-based pages to list and search', async () => {
    const list = open([aCode()], { at: '?page=3&size=20', total: 95 })
    await row(/Spring/)
    expect(list.sent('GET', '/api/redemption')[0]!.query).toEqual({ p: '3', page_size: '20' })
    list.unmount()

    const search = open([aCode()], { at: '?keyword=Spr&page=2' })
    await row(/Spring/)
    expect(search.sent('GET', '/api/redemption/search')[0]!.query).toEqual({
      keyword: 'Spr',
      p: '2',
      page_size: '20',
    })
  })

  it('filters by status with chips that show how many codes there are', async () => {
    const { sent, address } = open([aCode()])
    await row(/Spring/)
    await screen.findByRole('button', { name: /^全部 ?9$/, pressed: true })

    fireEvent.click(screen.getByRole('button', { name: /^已禁用 ?3$/ }))

    await waitFor(() => expect(address()).toBe('/admin/coupons?status=2'))
    expect(sent('GET', '/api/redemption/search')[0]!.query).toEqual({ status: '2', p: '1', page_size: '20' })
  })

  it('lists expired codes apart from unused ones', async () => {
    const { sent, address } = open([aCode()])
    await row(/Spring/)

    fireEvent.click(await screen.findByRole('button', { name: /^已过期 ?2$/ }))
    await waitFor(() => expect(address()).toBe('/admin/coupons?status=expired'))
    fireEvent.click(screen.getByRole('button', { name: /^未使用 ?3$/ }))
    await waitFor(() => expect(address()).toBe('/admin/coupons?status=1'))

    expect(sent('GET', '/api/redemption/search').map(({ query }) => query)).toEqual([
      { expired: 'true', p: '1', page_size: '20' },
      { status: '1', expired: 'false', p: '1', page_size: '20' },
    ])
  })

  it('shows the value in currency and masks the code', async () => {
    open([aCode()])
    const cells = within(await row(/Spring/))

    expect(cells.getByText('$1.50')).toBeTruthy()
    expect(cells.queryByText(KEY)).toBeNull()
    click('显示 Spring #12 的兑换码')
    expect(cells.getByText(KEY)).toBeTruthy()
  })

  it('shows who used a code and how often a gift code was used', async () => {
    open([
      aCode({ status: 3, used_user_id: 5, redeemed_time: 1_700_000_100 }),
      aCode({ id: 13, name: 'Many', is_gift: true, max_uses: 100, used_count: 7 }),
      aCode({ id: 14, name: 'All', is_gift: true, used_count: 9 }),
    ])

    const user = within(await row(/Spring/)).getByRole('link', { name: '用户 #5' })
    expect(user.getAttribute('href')).toBe('/admin/users?keyword=5')
    expect(within(await row(/Many/)).getByText('7 / 100 次')).toBeTruthy()
    expect(within(await row(/All/)).getByText('9 次 / 不限')).toBeTruthy()
  })

  it('offers edit only for unused codes, and never enables used ones', async () => {
    open([aCode(), aCode({ id: 13, name: 'Off', status: 2 }), aCode({ id: 14, name: 'Gone', status: 3 })])
    await row(/Spring/)

    expect(screen.getByRole('button', { name: '编辑 Spring #12' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '编辑 Off #13' })).toBeNull()
    expect(screen.queryByRole('button', { name: '编辑 Gone #14' })).toBeNull()
    const [enable] = await openMenu('Gone #14')
    expect(enable!.textContent).toBe('启用')
    expect(enable!.getAttribute('aria-disabled')).toBe('true')
  })

  it('shows the code to copy manually if there is no clipboard', async () => {
    open([aCode()])
    await row(/Spring/)

    click('复制 Spring #12')

    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('无法复制到剪贴板，请手动复制')
    expect(dialog.textContent).toContain('复制失败')
    expect(within(dialog).getByText(KEY)).toBeTruthy()
  })

  it('changes only the status, and reloads the list after an error', async () => {
    const { sent } = open([aCode()], {
      routes: { 'PUT /api/redemption': refused('redemption_used', '该兑换码已被使用') },
    })
    await row(/Spring/)

    await choose('Spring #12', '禁用')

    await screen.findByText('该兑换码已被使用')
    const [request] = sent('PUT', '/api/redemption')
    expect(request).toMatchObject({ query: { status_only: 'true' }, body: { id: 12, status: 2 } })
    await waitFor(() => expect(sent('GET', '/api/redemption')).toHaveLength(2))
  })
})

describe('disabling a code', () => {
  it('can be undone', async () => {
    const { sent } = open([aCode()], { routes: { 'PUT /api/redemption': succeeded(aCode({ status: 2 })) } })
    await row(/Spring/)

    await choose('Spring #12', '禁用')

    await screen.findByText('已禁用 Spring #12')
    click('撤销')
    await waitFor(() =>
      expect(sent('PUT', '/api/redemption').map(({ body }) => body)).toEqual([
        { id: 12, status: 2 },
        { id: 12, status: 1 },
      ]),
    )
  })
})

describe('a selection', () => {
  it('copies lines, without a code that was deleted', async () => {
    const writeText = vi.fn(async (_text: string) => {})
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
    open([aCode(), aCode({ id: 13, name: 'Autumn', key: 'bbb' })], {
      routes: { 'DELETE /api/redemption/13': succeeded() },
    })
    await row(/Spring/)
    fireEvent.click(screen.getByRole('checkbox', { name: '选择本页全部' }))

    click('复制所选')
    await screen.findByText('已复制 2 个兑换码')
    await choose('Autumn #13', '删除')
    await inDialog('删除')
    await screen.findByText('兑换码已删除')
    click('复制所选')

    await waitFor(() =>
      expect(writeText.mock.calls).toEqual([[`Spring    ${KEY}\nAutumn    bbb`], [`Spring    ${KEY}`]]),
    )
  })
})

describe('deleting by name', () => {
  it('shows the number first, and counts again for another name', async () => {
    const { sent } = open([aCode()], {
      routes: {
        'GET /api/redemption/count-by-name': succeeded(40),
        'DELETE /api/redemption/delete-by-name': succeeded(40),
      },
    })
    await row(/Spring/)
    click('清理')
    fireEvent.click(await screen.findByRole('menuitem', { name: '按名称删除' }))
    fireEvent.change(await screen.findByLabelText('名称'), { target: { value: ' Spring ' } })
    click('查询数量')
    await screen.findByText(/名为“Spring”的兑换码共 40 个/)

    fill('名称', 'Sprin')
    expect(screen.queryByRole('button', { name: '删除这 40 个' })).toBeNull()
    fill('名称', 'Spring')
    click('删除这 40 个')

    await screen.findByText('已删除 40 个名为“Spring”的兑换码')
    expect(sent('DELETE', '/api/redemption/delete-by-name')[0]!.query).toEqual({ name: 'Spring' })
  })
})

describe('deleting disabled codes', () => {
  it('asks for confirmation and shows how many were deleted', async () => {
    const { sent } = open([aCode()], { routes: { 'DELETE /api/redemption/delete-disabled': succeeded(2) } })
    fireEvent.click(await screen.findByRole('button', { name: '清理' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: '删除所有已禁用的兑换码' }))
    expect(sent('DELETE', '/api/redemption/delete-disabled')).toEqual([])

    await inDialog('删除')

    await screen.findByText('已删除 2 个已禁用的兑换码')
    expect(sent('DELETE', '/api/redemption/delete-disabled')).toHaveLength(1)
  })
})

describe('the editors', () => {
  it('create codes once if Enter is pressed twice', async () => {
    let reply = () => {}
    const made = new Promise<void>((resolve) => {
      reply = resolve
    })
    const { sent } = open([], {
      at: '?drawer=create',
      routes: { 'POST /api/redemption': () => made.then(() => succeeded([KEY])) },
    })
    const form = (await screen.findByLabelText('自定义兑换码')).closest('form')!

    fireEvent.submit(form)
    await waitFor(() => expect(sent('POST', '/api/redemption')).toHaveLength(1))
    fireEvent.submit(form)
    reply()

    await screen.findByText('已生成 1 个兑换码')
    expect(sent('POST', '/api/redemption')).toHaveLength(1)
  })

  it('warn that codes may exist if there was no response', async () => {
    open([], { at: '?drawer=create', routes: { 'POST /api/redemption': 'no-answer' } })
    await screen.findByLabelText('自定义兑换码')

    await inDialog('生成')

    await screen.findByText(/兑换码可能已经生成/)
    expect(screen.getByLabelText('自定义兑换码')).toBeTruthy()
  })

  it('take an amount of money and send quota', async () => {
    const { sent } = open([], { at: '?drawer=create', routes: { 'POST /api/redemption': succeeded([KEY]) } })
    expect(await screen.findByDisplayValue('0.20')).toBeTruthy()
    expect(document.body.textContent).not.toContain('100,000')
    fireEvent.change(screen.getByLabelText('金额'), { target: { value: '1,500.5' } })

    await inDialog('生成')

    await waitFor(() => expect(sent('POST', '/api/redemption')).toHaveLength(1))
    expect(sent('POST', '/api/redemption')[0]!.body).toMatchObject({ quota: 750_250_000 })
  })

  it('show at the field that a code exists', async () => {
    const { sent } = open([], {
      at: '?drawer=create',
      routes: { 'POST /api/redemption': refused('redemption_key_taken', '该兑换码已存在') },
    })
    fireEvent.change(await screen.findByLabelText('自定义兑换码'), { target: { value: ' WELCOME ' } })

    await inDialog('生成')

    await screen.findByText('该兑换码已存在')
    expect(sent('POST', '/api/redemption')[0]!.body).toMatchObject({ key: 'WELCOME', count: 1, name: '$0.20' })
  })

  it('do not change the value of a gift code after its first use', async () => {
    const gift = aCode({ is_gift: true, max_uses: 100, used_count: 7 })
    const { sent } = open([gift], {
      at: '?drawer=edit&id=12',
      routes: { 'GET /api/redemption/12': succeeded(gift), 'PUT /api/redemption': succeeded(gift) },
    })
    const name = await screen.findByLabelText('名称')
    expect(screen.getByLabelText('金额').hasAttribute('disabled')).toBe(true)
    fireEvent.change(name, { target: { value: 'Summer' } })

    await inDialog('保存')

    await screen.findByText('兑换码更新成功！')
    expect(sent('PUT', '/api/redemption')[0]!.body).toEqual({ id: 12, name: 'Summer', valid_from: 0, valid_until: 0 })
  })

  it('do not open for a used code', async () => {
    const used = aCode({ status: 3 })
    open([used], { at: '?drawer=edit&id=12', routes: { 'GET /api/redemption/12': succeeded(used) } })

    await screen.findByText('这个兑换码不能编辑')
    expect(screen.queryByLabelText('金额')).toBeNull()
  })
})
