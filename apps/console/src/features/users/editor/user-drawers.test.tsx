import type { User } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { rememberUser, useSession } from '../../../lib/session.ts'
import { fakeServer, refused, succeeded } from '../../../testing/fake-server.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { aUser } from '../../../testing/samples.ts'
import UsersPage from '../users-page.tsx'

beforeEach(() => rememberUser(aUser({ id: 1, username: 'captain', role: 100 })))

function open(at: string, routes: Parameters<typeof fakeServer>[0]) {
  const server = fakeServer({
    'GET /api/user': succeeded({ items: [], total: 0, page: 1, page_size: 10 }),
    'GET /api/group': succeeded(['default', 'vip']),
    ...routes,
  })
  const view = renderScreen(UsersPage, { at: `/admin/users${at}` })
  const bodies = (method: string) =>
    server.seen.filter((request) => request.method === method).map(({ body }) => body as Record<string, unknown>)
  return { ...view, bodies }
}

const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const submit = (name: string) =>
  fireEvent.click(within(screen.getAllByRole('dialog')[0]!).getByRole('button', { name }))

describe('adding a user', () => {
  it('refuses blank names and passwords in words', async () => {
    const { bodies } = open('?drawer=create', {})
    await screen.findByLabelText('用户名')

    submit('添加')

    await screen.findByText('用户名不能为空！')
    await screen.findByText('密码不能为空！')
    expect(bodies('POST')).toEqual([])
  })

  it('sends what was entered, tells so and closes', async () => {
    const { bodies, address } = open('?drawer=create', { 'POST /api/user': succeeded() })
    await screen.findByLabelText('用户名')
    fill('用户名', ' mira ')
    fill('显示名称', 'Mira')
    fill('密码', 'spring-tide-42')

    submit('添加')

    await screen.findByText('用户账户创建成功！')
    expect(bodies('POST')).toEqual([{ username: 'mira', display_name: 'Mira', password: 'spring-tide-42' }])
    await waitFor(() => expect(address()).toBe('/admin/users'))
  })

  it('says beside the name that it is taken', async () => {
    open('?drawer=create', { 'POST /api/user': refused('username_taken', '用户名已存在') })
    await screen.findByLabelText('用户名')
    fill('用户名', 'mira')
    fill('密码', 'spring-tide-42')

    submit('添加')

    await waitFor(() => expect(screen.getAllByText('用户名已存在')).toHaveLength(2)) // the toast, and the field
  })
})

describe('editing a user', () => {
  const edit = (user: User, routes: Parameters<typeof fakeServer>[0] = {}) =>
    open(`?drawer=edit&id=${user.id}`, {
      [`GET /api/user/${user.id}`]: succeeded(user),
      'PUT /api/user': succeeded(),
      ...routes,
    })

  it('grants settings areas to an administrator, and only when they change', async () => {
    const admin = aUser({ id: 7, username: 'mira', role: 10, settings_areas: ['groups'] })
    const { bodies } = edit(admin, { 'PUT /api/user/settings_areas': succeeded() })
    fireEvent.click(await screen.findByRole('checkbox', { name: '价格' }))

    submit('保存')

    await screen.findByText('用户信息更新成功！')
    const [grant, update] = bodies('PUT')
    expect(update).not.toHaveProperty('settings_areas')
    expect((grant as { areas: string[] }).areas.toSorted()).toEqual(['groups', 'prices'])
  })

  it('sends no user update when the settings areas cannot be saved', async () => {
    const admin = aUser({ id: 7, username: 'mira', role: 10 })
    const { bodies } = edit(admin, { 'PUT /api/user/settings_areas': refused('forbidden', '无权进行此操作') })
    fireEvent.click(await screen.findByRole('checkbox', { name: '价格' }))

    submit('保存')

    await screen.findByText('无权进行此操作')
    expect(bodies('PUT')).toEqual([{ id: 7, areas: ['prices'] }])
  })

  it('offers no settings areas for an ordinary user', async () => {
    const { bodies } = edit(aUser({ id: 8, username: 'kit' }))
    await screen.findByLabelText('用户名')

    expect(screen.queryByText('设置权限')).toBeNull()
    submit('保存')
    await waitFor(() => expect(bodies('PUT')).toHaveLength(1))
  })

  async function add(amount: string) {
    fireEvent.click(await screen.findByRole('button', { name: '增减额度' }))
    const field = await screen.findByLabelText('变动的额度')
    fireEvent.change(field, { target: { value: amount } })
    return field
  }

  it('adds quota as a difference to the balance that was seen', async () => {
    const { bodies } = edit(aUser({ quota: 1_000_000 }))
    const field = await add('500000')
    expect(screen.getByText('$3.00 (1,500,000)')).toBeTruthy()
    fireEvent.keyDown(field, { key: 'Enter' })
    await screen.findByText(/^\$2\.00 \(1,000,000\) → \$3\.00 \(1,500,000\)，保存时只记入差额 \+500,000/)

    submit('保存')

    await screen.findByText('用户信息更新成功！')
    expect(bodies('PUT')[0]).toMatchObject({ id: 7, quota: 1_500_000, quota_seen: 1_000_000 })
  })

  it('takes quota with a minus, down to a debt for the super admin only', async () => {
    edit(aUser({ quota: 100 }))

    await add('-300')

    expect(screen.getByText('余额会变成负数；保存表单后生效。')).toBeTruthy()
    expect(screen.getByRole('button', { name: '填入表单' }).hasAttribute('disabled')).toBe(false)
  })

  it('does not let an administrator make a debt', async () => {
    rememberUser(aUser({ id: 2, role: 10 }))
    edit(aUser({ quota: 100 }))

    await add('-300')

    expect(screen.getByRole('alert').textContent).toBe('余额不能低于 0，只有超级管理员可以设为负数')
    expect(screen.getByRole('button', { name: '填入表单' }).hasAttribute('disabled')).toBe(true)
  })

  it('leaves the balance alone when something else is changed', async () => {
    const { bodies } = edit(aUser({ quota: 1_000_000 }))
    await screen.findByLabelText('显示名称')
    fill('显示名称', 'Mira of the pier')

    submit('保存')

    await screen.findByText('用户信息更新成功！')
    expect(bodies('PUT')).toEqual([
      { id: 7, username: 'mira', display_name: 'Mira of the pier', password: '', group: 'default' },
    ])
  })

  it('shows bound accounts and invites, which cannot be edited', async () => {
    edit(aUser({ github_id: 'gh-583231', email: 'mira@pier.example', aff_code: 'k7Qz', aff_count: 3, inviter_id: 4 }))

    for (const words of ['gh-583231', 'mira@pier.example', 'k7Qz', '#4']) await screen.findByText(words)
    expect(screen.getAllByText('未绑定')).toHaveLength(4)
  })

  it('asks for the current password where people change their own', async () => {
    const { bodies } = edit(aUser({ id: 1, username: 'captain', role: 100 }))
    await screen.findByLabelText('新密码')
    fill('新密码', 'neap-tide-43')
    await screen.findByLabelText('当前密码')
    submit('保存')
    await screen.findByText('请输入当前密码')
    fill('当前密码', 'spring-tide-42')

    submit('保存')

    await waitFor(() =>
      expect(bodies('PUT')[0]).toMatchObject({ password: 'neap-tide-43', original_password: 'spring-tide-42' }),
    )
  })

  it('keeps the own name up to date', async () => {
    edit(aUser({ id: 1, username: 'captain', role: 100 }))
    await screen.findByLabelText('显示名称')
    fill('显示名称', 'The Captain')

    submit('保存')

    await waitFor(() => expect(useSession.getState().user?.display_name).toBe('The Captain'))
  })

  it('says that somebody of a higher rank cannot be edited', async () => {
    edit(aUser(), { 'GET /api/user/7': refused('rank_read', '无权查看同级或更高级别的用户') })

    await screen.findByText('不能编辑这个用户')
    expect(screen.getByText('无权查看同级或更高级别的用户')).toBeTruthy()
  })
})
