import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aStatus } from '../../../test/samples.ts'
import { TopBar } from './top-bar.tsx'

const renderBar = (status: Parameters<typeof aStatus>[0]) =>
  renderScreen(() => <TopBar onOpenMenu={() => {}} />, { at: '/about', status: aStatus(status) })

it('links to login and registration', () => {
  renderBar({})

  expect(screen.getByRole('link', { name: '登录' }).getAttribute('href')).toBe('/login')
  expect(screen.getByRole('link', { name: '注册' }).getAttribute('href')).toBe('/register')
})

it('marks a self-use site and hides the registration', () => {
  renderBar({ self_use_mode_enabled: true })

  expect(screen.getByText('自用模式')).toBeTruthy()
  expect(screen.queryByRole('link', { name: '注册' })).toBeNull()
})
