import type { User } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { rememberUser, useSession } from '../../api/session.ts'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aUser } from '../../../test/samples.ts'
import UsersPage from './users-page.tsx'

beforeEach(() => rememberUser(aUser({ id: 1, username: 'operator', role: 100 })))

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
  it('rejects a blank username and a blank password', async () => {
    const { bodies } = open('?drawer=create', {})
    await screen.findByLabelText('用户名')

    submit('添加')

    await screen.findByText('用户名不能为空！')
    await screen.findByText('密码不能为空！')
    expect(bodies('POST')).toEqual([])
  })

  it('sends the values, confirms and closes', async () => {
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

  it('shows at the field that the username is taken', async () => {
    open('?drawer=create', { 'POST /api/user': refused('username_taken', '用户名已存在') })
    await screen.findByLabelText('用户名')
    fill('用户名', 'mira')
    fill('密码', 'spring-tide-42')

    submit('添加')

    await screen.findByText('用户名已存在')
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
    const changes = bodies('PUT')
    expect(changes).toHaveLength(1)
    expect((changes[0] as { areas: string[] }).areas.toSorted()).toEqual(['groups', 'prices'])
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
    await screen.findByText('没有更改')
    expect(bodies('PUT')).toEqual([])
  })

  it('changes the balance by the difference to the balance that was shown', async () => {
    const { bodies } = edit(aUser({ quota: 1_000_000 }))
    fireEvent.click(await screen.findByRole('button', { name: '高级设置' }))
    fireEvent.click(await screen.findByRole('button', { name: '+$10' }))
    expect(screen.getByLabelText<HTMLInputElement>('余额').value).toBe('12')
    await screen.findByText(/^变动前 \$2\.00；保存时只记入差额 \+\$10\.00/)

    submit('保存')

    await screen.findByText('用户信息更新成功！')
    expect(bodies('PUT')[0]).toMatchObject({ id: 7, quota: 6_000_000, quota_seen: 1_000_000 })
  })

  it('tops up from the form, and does not restore the previous balance when it is saved', async () => {
    let quota = 1_000_000
    const { bodies } = edit(aUser({ quota }), {
      'GET /api/user/7': () => succeeded(aUser({ quota })),
      'PUT /api/user': () => {
        quota = 6_000_000
        return succeeded()
      },
    })
    fireEvent.click(await screen.findByRole('button', { name: '充值' }))
    await screen.findByText('为 mira 充值')
    const dialog = screen.getAllByRole('dialog').at(-1)!
    fireEvent.click(within(dialog).getByRole('button', { name: '+$10' }))
    fireEvent.click(within(dialog).getByRole('button', { name: '充值' }))
    await screen.findByText('mira 的余额已变动 +$10.00')
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('余额').value).toBe('12'))
    fill('显示名称', 'Mira B.')

    submit('保存')

    await screen.findByText('用户信息更新成功！')
    expect(bodies('PUT').map((body) => [body.quota, body.quota_seen])).toEqual([
      [6_000_000, 1_000_000],
      [undefined, undefined],
    ])
  })

  it('does not send the balance when something else changes', async () => {
    const { bodies } = edit(aUser({ quota: 1_000_000 }))
    await screen.findByLabelText('显示名称')
    fill('显示名称', 'Mira B.')

    submit('保存')

    await screen.findByText('用户信息更新成功！')
    expect(bodies('PUT')).toEqual([
      { id: 7, username: 'mira', display_name: 'Mira B.', password: '', group: 'default' },
    ])
  })

  it('shows linked accounts and invites', async () => {
    edit(aUser({ github_id: 'gh-583231', email: 'mira@example.com', aff_code: 'k7Qz', aff_count: 3, inviter_id: 4 }))

    for (const text of ['gh-583231', 'mira@example.com', 'k7Qz', '#4']) await screen.findByText(text)
    expect(screen.getAllByText('未绑定')).toHaveLength(4)
  })

  it('asks for the current password when admins change their own', async () => {
    const { bodies } = edit(aUser({ id: 1, username: 'operator', role: 100 }))
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

  it('updates the name of the current user in the session', async () => {
    edit(aUser({ id: 1, username: 'operator', role: 100 }))
    await screen.findByLabelText('显示名称')
    fill('显示名称', 'The Operator')

    submit('保存')

    await waitFor(() => expect(useSession.getState().user?.display_name).toBe('The Operator'))
  })

  it('explains that a user with a higher role cannot be edited', async () => {
    edit(aUser(), { 'GET /api/user/7': refused('rank_read', '无权查看同级或更高级别的用户') })

    await screen.findByText('不能编辑这个用户')
    expect(screen.getByText('无权查看同级或更高级别的用户')).toBeTruthy()
  })
})

describe('topping up a user', () => {
  const topUp = (user: User) =>
    open(`?drawer=topup&id=${user.id}`, { [`GET /api/user/${user.id}`]: succeeded(user), 'PUT /api/user': succeeded() })
  const button = (name: string) => within(screen.getByRole('dialog')).getByRole('button', { name })
  const enter = async (amount: string) => {
    await screen.findByText('为 mira 充值')
    fireEvent.change(screen.getByLabelText('金额'), { target: { value: amount } })
  }

  it('adds a preset amount in currency', async () => {
    const { bodies, address } = topUp(aUser({ quota: 1_000_000 }))
    await screen.findByText('为 mira 充值')
    fireEvent.click(button('+$50'))
    expect(screen.getByText('$52.00')).toBeTruthy()

    fireEvent.click(button('充值'))

    await screen.findByText('mira 的余额已变动 +$50.00')
    expect(bodies('PUT')).toEqual([{ id: 7, username: 'mira', quota: 26_000_000, quota_seen: 1_000_000 }])
    await waitFor(() => expect(address()).toBe('/admin/users'))
  })

  it('lets the super admin make a balance negative', async () => {
    topUp(aUser({ quota: 500_000 }))

    await enter('-3')

    expect(screen.getByText('余额会变成负数。')).toBeTruthy()
    expect(button('扣减').hasAttribute('disabled')).toBe(false)
  })

  it('does not let an administrator make a balance negative', async () => {
    rememberUser(aUser({ id: 2, role: 10 }))
    topUp(aUser({ quota: 500_000 }))

    await enter('-3')

    expect(screen.getByRole('alert').textContent).toBe('余额不能低于 0，只有超级管理员可以设为负数')
    expect(button('扣减').hasAttribute('disabled')).toBe(true)
  })
})
