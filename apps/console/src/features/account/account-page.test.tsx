import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { refused, succeeded } from '../../../test/fake-server.ts'
import { aSecurity } from '../../../test/samples.ts'
import { openMe } from './test-me.tsx'

const REQUIRED = refused('admin_second_factor_required', '请先启用两步验证', 403)

it('shows only what is needed to set up a second factor where the site requires one', async () => {
  const { sent } = openMe({
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

it('shows the page although the models of the user could not be read', async () => {
  const { sent } = openMe({ routes: { 'GET /api/user/models': refused('internal_error', '', 500) } })

  expect(await screen.findByRole('tab', { name: '通知设置' })).toBeTruthy()
  expect(sent('GET /api/user/models').length).toBeLessThan(4)
})
