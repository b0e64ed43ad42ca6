import type { ExportDelivery, ExportDestination } from '@tidegate/contract/api'
import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { fakeServer, succeeded } from '../../../test/fake-server.ts'
import { showOnPhone } from '../../../test/phone.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aUser } from '../../../test/samples.ts'
import ExportsPage from './exports-page.tsx'
import SiteExportsPage from './site-exports-page.tsx'

const aDestination = (changes: Partial<ExportDestination> = {}): ExportDestination => ({
  id: 4,
  kind: 'webhook',
  name: 'warehouse',
  enabled: true,
  url: 'https://hooks.example/in',
  options: {
    signals: ['traces'],
    include_failed: true,
    include_content: false,
    region: 'us-east-1',
    bucket: '',
    prefix: '',
    path_style: true,
  },
  secrets: ['secret'],
  state: 'ok',
  open: 0,
  failed: 0,
  lag_seconds: 0,
  last_error: '',
  last_success_at: null,
  retry_at: null,
  created_at: '2026-11-19T10:00:00Z',
  ...changes,
})

const aDelivery = (changes: Partial<ExportDelivery> = {}): ExportDelivery => ({
  id: 31,
  destination_id: 4,
  state: 'failed',
  records: 12,
  rejected: 0,
  first_time: '2026-11-19T10:00:00Z',
  last_time: '2026-11-19T10:00:05Z',
  bytes: 0,
  attempts: 12,
  error: '对方返回 HTTP 503',
  response_status: 503,
  response_body: 'down',
  created_at: '2026-11-19T10:00:06Z',
  next_attempt_at: null,
  finished_at: '2026-11-19T13:00:00Z',
  ...changes,
})

interface State {
  items?: ExportDestination[]
  deliveries?: ExportDelivery[]
  active?: boolean
  logs_served?: boolean
}

function open({ items = [], deliveries = [], active = true, logs_served = true }: State, at = '/app/exports') {
  rememberUser(aUser({ id: 7, role: 1 }))
  const list = succeeded({ items, limit: 3, active, logs_served, logs_failed: true })
  const server = fakeServer({
    'GET /api/user/export': list,
    'GET /api/export': list,
    'POST /api/user/export': succeeded(aDestination()),
    'PUT /api/user/export/4': succeeded(aDestination()),
    'POST /api/user/export/4/test': succeeded({
      delivered: false,
      error: 'HTTP 403',
      response_status: 403,
      response_body: '',
    }),
    'GET /api/user/export/deliveries': succeeded({
      items: deliveries,
      total: deliveries.length,
      page: 1,
      page_size: 20,
    }),
    'POST /api/user/export/deliveries/31/retry': succeeded(null),
    'POST /api/user/export/4/retry': succeeded(1),
  })
  renderScreen(at.startsWith('/admin') ? SiteExportsPage : ExportsPage, { at })
  return (method: string, path: string) =>
    server.seen.filter((request) => request.method === method && request.path === path)
}

describe('the list of export destinations', () => {
  it('shows kind, host, state and failures', async () => {
    open({ items: [aDestination({ state: 'failing', failed: 2, open: 5, last_error: 'HTTP 503' })] })

    const row = await screen.findByRole('row', { name: /warehouse/ })

    expect(row.textContent).toMatch(/warehouse.*Webhook.*hooks\.example.*失败中.*从未.*5.*2/)
  })

  it('says why nothing is exported', async () => {
    open({ active: false, logs_served: false })

    expect(await screen.findByText(/未允许用户导出/)).toBeTruthy()
    expect(screen.getByText(/消费日志已关闭/)).toBeTruthy()
    expect(screen.getByRole('button', { name: /添加导出目标/ }).hasAttribute('disabled')).toBe(true)
  })

  it('lists the destinations of the site for the super admin', async () => {
    const requested = open({ items: [aDestination()] }, '/admin/exports')

    await screen.findByRole('row', { name: /warehouse/ })

    expect(requested('GET', '/api/export')).toHaveLength(1)
    expect(requested('GET', '/api/user/export')).toEqual([])
  })

  it('shows cards on a phone', async () => {
    showOnPhone()
    open({ items: [aDestination()] })

    expect(await screen.findByText('warehouse')).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
  })
})

describe('the form of a destination', () => {
  it('adds a destination with the fields of its kind', async () => {
    const requested = open({}, '/app/exports?drawer=create')

    fireEvent.change(await screen.findByLabelText('名称'), { target: { value: 'traces' } })
    fireEvent.change(screen.getByLabelText('地址'), { target: { value: 'https://otlp.example.com' } })
    fireEvent.change(screen.getByLabelText('请求头'), { target: { value: 'Authorization: Bearer x' } })
    fireEvent.click(screen.getByLabelText('指标'))
    fireEvent.click(screen.getByRole('button', { name: /^添\s?加$/ }))

    await expect
      .poll(() => requested('POST', '/api/user/export'))
      .toMatchObject([
        {
          body: {
            kind: 'otlp',
            name: 'traces',
            options: { signals: ['traces', 'metrics'] },
            secrets: { headers: 'Authorization: Bearer x' },
          },
        },
      ])
  })

  it('keeps stored credentials when they are not entered', async () => {
    const requested = open({ items: [aDestination()] }, '/app/exports?drawer=edit&id=4')

    fireEvent.change(await screen.findByLabelText('名称'), { target: { value: 'renamed' } })
    expect(screen.getByText(/已保存，仅在需要替换时填写/)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: /^保\s?存$/ }))

    await expect.poll(() => requested('PUT', '/api/user/export/4')).toMatchObject([{ body: { name: 'renamed' } }])
    expect(requested('PUT', '/api/user/export/4')[0]!.body).not.toHaveProperty('secrets')
  })

  it('shows the result of a test', async () => {
    open({ items: [aDestination()] })

    fireEvent.click(await screen.findByRole('button', { name: /warehouse 的更多操作/ }))
    fireEvent.click(await screen.findByRole('menuitem', { name: '发送测试' }))

    expect(await screen.findByText(/测试失败：HTTP 403/)).toBeTruthy()
  })
})

describe('the deliveries of a destination', () => {
  it('are sent again, one or all', async () => {
    const requested = open(
      { items: [aDestination({ failed: 1 })], deliveries: [aDelivery()] },
      '/app/exports?drawer=deliveries&id=4',
    )

    const drawer = await screen.findByRole('dialog')
    fireEvent.click(await within(drawer).findByRole('button', { name: '重新发送投递 31' }))
    await expect.poll(() => requested('POST', '/api/user/export/deliveries/31/retry')).toHaveLength(1)
    fireEvent.click(within(drawer).getByRole('button', { name: '重新发送全部失败' }))
    await expect.poll(() => requested('POST', '/api/user/export/4/retry')).toHaveLength(1)
  })
})
