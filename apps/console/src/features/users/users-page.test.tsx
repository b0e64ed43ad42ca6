import type { User } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aUser } from '../../../test/samples.ts'
import UsersPage from './users-page.tsx'

const OPERATOR = aUser({ id: 1, username: 'operator', role: 100 })

beforeEach(() => rememberUser(OPERATOR))

interface Options {
  at?: string
  total?: number
  routes?: Parameters<typeof fakeServer>[0]
}

function open(users: User[], { at = '', total = users.length, routes = {} }: Options = {}) {
  const page = succeeded({ items: users, total, page: 1, page_size: 10 })
  const server = fakeServer({
    'GET /api/user': page,
    'GET /api/user/search': page,
    'GET /api/group': succeeded(['default', 'vip']),
    ...routes,
  })
  const view = renderScreen(UsersPage, { at: `/admin/users${at}` })
  const sent = (method: string, path: string) =>
    server.seen.filter((request) => request.method === method && request.path === path)
  return { ...view, sent }
}

const row = (name: RegExp) => screen.findByRole('row', { name })
const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

async function choose(name: string, entry: string) {
  click(`${name} 的更多操作`)
  fireEvent.click(await screen.findByRole('menuitem', { name: entry }))
}

async function confirm(word: string) {
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: word }))
}

describe('the list of users', () => {
  it('sends 0-based pages to the list', async () => {
    const { sent } = open([aUser()], { at: '?page=3&size=20', total: 95 })

    await row(/mira/)

    expect(sent('GET', '/api/user')[0]!.query).toEqual({ p: '2', page_size: '20' })
    expect(screen.getByText('第 41–41 条，共 95 条')).toBeTruthy()
  })

  it('sends 1-based pages to the search', async () => {
    const { sent } = open([aUser()], { at: '?keyword=mi&group=vip&page=3' })

    await row(/mira/)

    expect(sent('GET', '/api/user')).toEqual([])
    expect(sent('GET', '/api/user/search')[0]!.query).toEqual({
      keyword: 'mi',
      group: 'vip',
      p: '3',
      page_size: '10',
    })
  })

  it('filters by role and status', async () => {
    const { sent } = open([aUser()], { at: '?role=admin&status=deregistered' })

    await row(/mira/)

    expect(sent('GET', '/api/user/search')[0]!.query).toEqual({
      role: 'admin',
      status: 'deregistered',
      p: '1',
      page_size: '10',
    })
  })

  it('sorts by a column in both directions, then by default', async () => {
    const { sent } = open([aUser()], { at: '?page=3' })
    await row(/mira/)
    const orders = () =>
      sent('GET', '/api/user').map(({ query }) => [query.sort, query.direction, query.p].filter(Boolean).join(' '))

    for (const times of [2, 3, 4]) {
      click('剩余额度')
      await waitFor(() => expect(orders()).toHaveLength(times))
    }

    expect(orders()).toEqual(['2', 'quota desc 0', 'quota asc 0', '0'])
    expect(screen.getByRole('columnheader', { name: '剩余额度' }).getAttribute('aria-sort')).toBe('none')
    expect(screen.getByRole('columnheader', { name: 'ID' }).getAttribute('aria-sort')).toBe('descending')
  })

  it('starts with the last page size', async () => {
    localStorage.setItem('page-size', '50')
    const { sent } = open([aUser()])

    await row(/mira/)

    expect(sent('GET', '/api/user')[0]!.query).toEqual({ p: '0', page_size: '50' })
  })

  it.each([
    [1, '普通用户'],
    [10, '管理员'],
    [100, '超级管理员'],
    [7, '未知身份'],
  ])('shows role %i as %s', async (role, text) => {
    open([aUser({ role })])

    expect(within(await row(/mira/)).getByText(text)).toBeTruthy()
  })

  it.each([
    [1, '正常'],
    [2, '已封禁'],
    [3, '已存在'],
    [8, '未知状态'],
  ])('shows status %i as %s', async (status, text) => {
    open([aUser({ status })])

    expect(within(await row(/mira/)).getByText(text)).toBeTruthy()
  })

  it('shows balance, spending and invites', async () => {
    open([
      aUser({
        quota: 750_000,
        used_quota: 5_000_000,
        request_count: 12_345,
        aff_count: 3,
        aff_history_quota: 600_000,
        inviter_id: 4,
      }),
    ])

    const cells = within(await row(/mira/))

    for (const text of ['$1.50', '$10.00', '12,345', '邀请 3 人', '邀请人 #4'])
      expect(cells.getByText(text)).toBeTruthy()
    expect(cells.getByTitle('邀请 3 人 · 收益 $1.20')).toBeTruthy()
  })

  it('disables the enable action for status 3', async () => {
    open([aUser({ status: 3 })])
    await row(/mira/)

    click('mira 的更多操作')

    const enable = await screen.findByRole('menuitem', { name: '启用' })
    expect(enable.getAttribute('aria-disabled')).toBe('true')
  })
})

describe('an action', () => {
  it('applies role and status of the reply without loading the list again', async () => {
    const { sent } = open([aUser()], { routes: { 'POST /api/user/manage': succeeded({ role: 10, status: 2 }) } })
    await row(/mira/)

    await choose('mira', '提升为管理员')
    expect(sent('POST', '/api/user/manage')).toEqual([])
    await confirm('提升')

    await screen.findByText('操作成功完成！')
    const cells = within(await row(/mira/))
    expect(cells.getByText('管理员')).toBeTruthy()
    expect(cells.getByText('已封禁')).toBeTruthy()
    expect(sent('POST', '/api/user/manage')[0]!.body).toEqual({ id: 7, action: 'promote' })
    expect(sent('GET', '/api/user')).toHaveLength(1)
  })

  it('offers to restore a deregistered user', async () => {
    open([aUser({ quota: 1_000_000 })], { routes: { 'POST /api/user/manage': succeeded({ role: 1, status: 1 }) } })
    await row(/mira/)

    await choose('mira', '注销')
    expect((await screen.findByRole('dialog')).textContent).toContain('余额 $2.00 和日志保留')
    await confirm('注销')

    expect(await within(await row(/mira/)).findByText('已注销')).toBeTruthy()
    expect(within(await row(/mira/)).getAllByRole('button')).toHaveLength(2)
    expect(screen.getByRole('button', { name: '恢复 mira' })).toBeTruthy()
  })

  it('suspends immediately and can be undone', async () => {
    const { sent } = open([aUser()], { routes: { 'POST /api/user/manage': succeeded({ role: 1, status: 2 }) } })
    await row(/mira/)

    await choose('mira', '禁用')

    expect(await within(await row(/mira/)).findByText('已封禁')).toBeTruthy()
    await screen.findByText('已禁用 mira')
    click('撤销')
    await waitFor(() =>
      expect(sent('POST', '/api/user/manage').map(({ body }) => body)).toEqual([
        { id: 7, action: 'disable' },
        { id: 7, action: 'enable' },
      ]),
    )
  })

  it('shows the error of the server and restores the status', async () => {
    open([aUser({ status: 2 })], {
      routes: { 'POST /api/user/manage': refused('rank_update', '无权更新同级或更高级别的用户') },
    })
    await row(/mira/)

    await choose('mira', '启用')

    await screen.findByText('无权更新同级或更高级别的用户')
    expect(within(await row(/mira/)).getByText('已封禁')).toBeTruthy()
  })
})

describe('an administrator', () => {
  beforeEach(() => rememberUser(aUser({ id: 2, username: 'admin', role: 10 })))

  it('has no actions on users of the same or a higher role', async () => {
    open([aUser(), aUser({ id: 2, username: 'admin', role: 10 }), OPERATOR])
    await row(/mira/)

    expect(within(await row(/operator/)).queryAllByRole('button')).toEqual([])
    expect(within(await row(/admin/)).queryAllByRole('button')).toEqual([])
    expect(within(await row(/admin/)).getByText('你自己')).toBeTruthy()
    click('mira 的更多操作')
    expect((await screen.findAllByRole('menuitem')).map((entry) => entry.textContent)).toEqual([
      '编辑',
      '收支明细',
      '禁用',
      '重置二次验证',
      '注销',
    ])
  })
})
