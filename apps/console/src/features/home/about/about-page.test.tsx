import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { useSession } from '../../../api/session.ts'
import { fakeServer, refused, succeeded } from '../../../../test/fake-server.ts'
import { renderScreen } from '../../../../test/render-screen.tsx'
import { aUser } from '../../../../test/samples.ts'
import AboutPage from './about-page.tsx'

const open = (content: string) => {
  fakeServer({ 'GET /api/about': succeeded(content) })
  return renderScreen(AboutPage, { at: '/about' })
}

beforeEach(() => useSession.setState({ user: null }))

it('shows what the operator wrote', async () => {
  open('We are **Harbour**')

  expect((await screen.findByText('Harbour')).tagName).toBe('STRONG')
})

it('has plain words of its own, and tells the super admin where to write others', async () => {
  useSession.setState({ user: aUser({ role: 100 }) })
  open('')

  expect(await screen.findByText(/^Harbour 是一个大模型 API 网关/)).toBeTruthy()
  expect(screen.getByRole('link', { name: '系统设置 → 其他' }).getAttribute('href')).toBe('/admin/settings?tab=other')
})

it('says when it could not be read', async () => {
  fakeServer({ 'GET /api/about': refused('internal_error', '出错了', 500) })
  renderScreen(AboutPage, { at: '/about' })

  expect(await screen.findByRole('alert')).toBeTruthy()
})
