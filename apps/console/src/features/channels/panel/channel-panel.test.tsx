import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { rememberUser } from '../../../api/session.ts'
import { fakeServer, succeeded } from '../../../../test/fake-server.ts'
import { renderScreen } from '../../../../test/render-screen.tsx'
import { aChannel } from '../../../../test/sample-channel.ts'
import { aUser } from '../../../../test/samples.ts'
import ChannelsPage from '../channels-page.tsx'

const aLogRow = { id: 1, type: 2, content: '', channel: 3 }
const IDLE = { running: false, done: 0, total: 0, current: '', failed: 0, started_time: 0, finished_time: 0 }

function open(at: string, routes: Parameters<typeof fakeServer>[0] = {}) {
  rememberUser(aUser({ role: 100 }))
  const channels = [aChannel(), aChannel({ id: 4, name: 'pier' })]
  const server = fakeServer({
    'GET /api/channel/search': succeeded(channels),
    'GET /api/channel/summary': succeeded({ all: 2, healthy: 2, failing: 0, auto_disabled: 0, disabled: 0 }),
    'GET /api/channel/health': succeeded([]),
    'GET /api/channel/stats': succeeded([]),
    'GET /api/channel/tags': succeeded([]),
    'GET /api/group': succeeded(['default']),
    'GET /api/channel/test/progress': succeeded({ ...IDLE, cancelled: false }),
    'GET /api/channel/update_balance/progress': succeeded({ ...IDLE, cancelled: false }),
    'GET /api/channel/3': succeeded({ ...channels[0], key: 'sk-••••1' }),
    'GET /api/channel/4': succeeded({ ...channels[1], key: 'sk-••••2' }),
    'GET /api/channel/route_plan': succeeded({ tiers: [], excluded: [] }),
    'GET /api/log': succeeded({ items: [], total: 0, page: 1, page_size: 50, capped: false }),
    ...routes,
  })
  return { ...renderScreen(ChannelsPage, { at: `/admin/channels${at}` }), seen: server.seen }
}

const panel = async (name: string) => within(await screen.findByRole('dialog', { name: `渠道 ${name}` }))

it('opens with a click on a row, moves to the next channel and closes', async () => {
  const { address } = open('')
  const cell = within(await screen.findByRole('row', { name: /harbour/ })).getAllByText('–')[0]!

  fireEvent.click(cell)

  await panel('harbour')
  expect(address()).toBe('/admin/channels?panel=3')
  fireEvent.click(screen.getByRole('button', { name: '下一个渠道' }))
  const next = await panel('pier')
  expect(address()).toBe('/admin/channels?panel=4')
  fireEvent.click(next.getByRole('button', { name: '关闭' }))
  await waitFor(() => expect(address()).toBe('/admin/channels'))
})

it('shows the open circuit breaker of a model', async () => {
  const excluded = {
    channel_id: 3,
    name: 'harbour',
    type: 1,
    priority: 0,
    weight: 0,
    group: 'default',
    model: 'gpt-4o',
    reason: 'circuit_open',
    retry_in_ms: 37_500,
    circuit: { state: 'open', tripped_keys: 2 },
  }
  open('?panel=3', { 'GET /api/channel/route_plan': succeeded({ tiers: [], excluded: [excluded] }) })

  const shown = await panel('harbour')

  expect(await shown.findByText('gpt-4o 已熔断')).toBeTruthy()
  expect(shown.getByText('受影响的密钥：2 个 · 38 秒后重试')).toBeTruthy()
})

it('shows the state of each key and enables one', async () => {
  const key = { hash: 'h1', masked: 'sk-a••••1', status: 3, reason: '401 invalid key', changed_time: 1_700_000_000 }
  const { seen } = open('?panel=3&tab=keys', {
    'GET /api/channel/3/keys': succeeded([key]),
    'POST /api/channel/3/keys/h1/enabled': succeeded(),
  })
  const shown = await panel('harbour')
  expect(await shown.findByText('401 invalid key')).toBeTruthy()

  fireEvent.click(shown.getByRole('button', { name: '启用密钥 sk-a••••1' }))

  await waitFor(() => expect(seen.some(({ method }) => method === 'POST')).toBe(true))
})

it('adds keys and keeps the stored ones', async () => {
  const key = { hash: 'h1', masked: 'sk-••••1', status: 1, reason: '', changed_time: 0 }
  const { seen } = open('?panel=3&tab=keys', {
    'GET /api/channel/3/keys': succeeded([key]),
    'PUT /api/channel': succeeded({ ...aChannel(), key: 'sk-••••1' }),
  })
  const shown = await panel('harbour')

  fireEvent.change(await shown.findByRole('textbox', { name: '添加密钥' }), { target: { value: 'sk-b, sk-c' } })
  fireEvent.click(shown.getByRole('button', { name: '添加密钥' }))

  await screen.findByText('已添加 2 个密钥')
  expect(seen.find(({ method }) => method === 'PUT')?.body).toEqual({ id: 3, key: 'sk-••••1\nsk-b\nsk-c' })
})

it('shows price, last request and last error of each model', async () => {
  const log = (model_name: string, changes: object) => ({ ...aLogRow, model_name, ...changes })
  const priced = { model_name: 'gpt-4o', quota_type: 0, model_price: 0, rates: { input: 2.5, output: 10 } }
  open('?panel=3&tab=models', {
    'GET /api/channel/3': succeeded({ ...aChannel(), models: 'gpt-4o,gizmo', key: '' }),
    'GET /api/pricing': { json: { success: true, data: [priced], group_ratio: {}, usable_group: {} } },
    'POST /api/channel/models_unpriced': succeeded(['gizmo']),
    'GET /api/log': ({ query }) => {
      const items =
        query['type'] === '6'
          ? [log('gizmo', { created_at: 1_700_000_000, error_code: 'model_not_found' })]
          : [log('gpt-4o', { created_at: 1_700_000_000 })]
      return succeeded({ items, total: 1, page: 1, page_size: 100, capped: false })
    },
  })

  const shown = await panel('harbour')

  expect((await shown.findByText(/^\$2\.50 \/ \$10\.00/)).closest('li')?.textContent).toMatch(/^gpt-4o.*最近使用/)
  expect((await shown.findByText(/model_not_found/)).closest('li')?.textContent).toMatch(/^gizmo.*未定价/)
})

it('shows who changed the channel', async () => {
  const event = {
    id: 1,
    created_at: 1_700_000_000,
    actor_id: 1,
    actor: 'root',
    token: '',
    action: 'channel.unknown_verb',
    subject: '3',
    details: { weight: 5 },
    client_ip: '',
    request_id: '',
  }
  open('?panel=3&tab=history', { 'GET /api/audit': succeeded({ items: [event], total: 1, page: 1, page_size: 50 }) })

  const shown = await panel('harbour')

  expect(await shown.findByText('channel.unknown_verb')).toBeTruthy()
  expect(shown.getByText('权重：5')).toBeTruthy()
})
