import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refused, succeeded } from '../../../test/fake-server.ts'
import { aSecurity } from '../../../test/samples.ts'
import { fill, openAccount } from './test-account.tsx'

const REQUIRED = refused('admin_second_factor_required', '请先启用两步验证', 403)

it('shows only the second-factor setup if the site requires one', async () => {
  const { sent } = openAccount({
    at: '?tab=security',
    user: { role: 10 },
    status: { aff_enabled: true },
    routes: {
      'GET /api/user/security': succeeded(aSecurity({ second_factor_missing: true })),
      'GET /api/user/sessions': succeeded([]),
      'GET /api/user/models': REQUIRED,
      'GET /api/user/aff': REQUIRED,
      'GET /api/user/token/info': REQUIRED,
      'GET /api/user/automation_tokens': REQUIRED,
    },
  })

  expect(await screen.findByText('请设置两步验证')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('可用模型')).toBeNull())
  expect(screen.queryByText('系统访问令牌')).toBeNull()
  expect(sent('GET /api/user/models').length).toBeLessThan(4)
})

it('shows the page if the models cannot be loaded', async () => {
  const { sent } = openAccount({ routes: { 'GET /api/user/models': refused('internal_error', '', 500) } })

  expect(await screen.findByRole('tab', { name: '通知设置' })).toBeTruthy()
  expect(sent('GET /api/user/models').length).toBeLessThan(4)
})

const tab = (name: string) => screen.findByRole('tab', { name })

describe('the tabs of the account page', () => {
  it.each([
    ['', '安全设置'],
    ['?tab=price', '价格设置'],
    ['?tab=no-such', '安全设置'],
  ])('opens the tab of the address %j', async (at, name) => {
    openAccount({ at })

    expect((await tab(name)).getAttribute('aria-selected')).toBe('true')
  })

  it('sets the tab in the address and removes the page number', async () => {
    const { address } = openAccount({ at: '?page=2' })

    fireEvent.click(await tab('其他设置'))

    expect(address()).toBe('/app/me?tab=other')
  })

  it('keeps entered values while another tab is open', async () => {
    openAccount({ at: '?tab=notifications' })
    await screen.findByLabelText('余额预警')
    fill('余额预警', '700000')

    fireEvent.click(await tab('价格设置'))
    fireEvent.click(await tab('通知设置'))

    expect(screen.getByLabelText('余额预警')).toHaveProperty('value', '700,000')
  })

  it('asks for confirmation before leaving a page with unsaved changes', async () => {
    openAccount({ at: '?tab=notifications' })
    await screen.findByLabelText('余额预警')
    const leave = () => {
      const event = new Event('beforeunload', { cancelable: true })
      act(() => void window.dispatchEvent(event))
      return event.defaultPrevented
    }
    expect(leave()).toBe(false)

    fill('余额预警', '700000')

    expect(leave()).toBe(true)
  })
})
