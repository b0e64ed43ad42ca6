import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import UserStatementPage from './statement-page.tsx'

function open(id: string, statement = succeeded({ items: [], total: 0, page: 1, page_size: 10 }), state?: unknown) {
  fakeServer({
    [`GET /api/user/${id}`]: refused('user_not_found', '用户不存在'),
    [`GET /api/user/${id}/statement`]: statement,
  })
  renderScreen(UserStatementPage, { at: `/admin/users/${id}/statement`, path: '/admin/users/:id/statement', state })
}

it('shows why the statement of a higher role is not accessible, and offers no export', async () => {
  open('1', refused('rank_read', '无权查看同级或更高级别的用户', 403))

  const alert = await screen.findByRole('alert')

  expect(alert.textContent).toContain('不能查看这个用户的收支明细')
  expect(alert.textContent).toContain('无权查看同级或更高级别的用户')
  expect(screen.queryByRole('button', { name: '导出 CSV' })).toBeNull()
})

it.each(['99999', 'not-a-number'])('shows that the user %s does not exist', async (id) => {
  open(id, refused('user_not_found', '用户不存在'))

  expect((await screen.findByRole('alert')).textContent).toContain(`没有 ID 为 ${id} 的用户`)
})

it('shows the name of a deregistered user from the list, and links back to the same list', async () => {
  open('7', undefined, { username: 'gone', list: '?keyword=gone' })

  await screen.findByRole('heading', { level: 1, name: 'gone 的收支明细' })
  const back = screen.getByRole('link', { name: '返回用户管理' })
  expect(back.getAttribute('href')).toBe('/admin/users?keyword=gone')
})
