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

it('shows the text of the operator', async () => {
  open('We are **Harbour**')

  expect((await screen.findByText('Harbour')).tagName).toBe('STRONG')
})

it('shows a default text, and links the super admin to the setting that replaces it', async () => {
  useSession.setState({ user: aUser({ role: 100 }) })
  open('')

  expect(await screen.findByText(/^Harbour 是一个大模型 API 网关/)).toBeTruthy()
  expect(screen.getByRole('link', { name: '系统设置 → 其他' }).getAttribute('href')).toBe('/admin/settings?tab=other')
})

it('shows an error if the text cannot be loaded', async () => {
  fakeServer({ 'GET /api/about': refused('internal_error', '出错了', 500) })
  renderScreen(AboutPage, { at: '/about' })

  expect(await screen.findByRole('alert')).toBeTruthy()
})
