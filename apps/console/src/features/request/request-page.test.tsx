import type { RequestTrail } from '@tidegate/contract/api'
import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { rememberUser } from '../../lib/session.ts'
import { fakeServer, refused, succeeded } from '../../testing/fake-server.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { aLog } from '../../testing/sample-log.ts'
import { aUser } from '../../testing/samples.ts'
import RequestPage from './request-page.tsx'

beforeEach(() => rememberUser(aUser({ id: 1, username: 'captain', role: 100 })))

const ROW = aLog(
  {
    model_price: -1,
    model_ratio: 1.25,
    completion_ratio: 4,
    group_ratio: 1,
    output_limit: 12_345,
    output_limit_reason: 'balance',
    client_disconnected: true,
    uncovered: 750,
  },
  { quota: 3000 },
)

const aTrail = (changes: Partial<RequestTrail> = {}): RequestTrail => ({
  request_id: '20261115093005123AbCdEfGh',
  outcome: 'served',
  steps: [],
  row: ROW,
  errors: [],
  charged: { quota: 3000, token_quota: 3000, uncovered: 750 },
  ...changes,
})

function open(trail: RequestTrail) {
  fakeServer({ 'GET /api/log/request': succeeded(trail) })
  renderScreen(RequestPage, { at: '/app/logs/request/x' })
}

const region = async (name: string) => (await screen.findByRole('region', { name })).textContent

describe('the page of a request', () => {
  it('says why channels were passed over, and how many it does not list', async () => {
    const passed_over = [
      { channel: 3, channel_name: 'dry dock', reason: 'cooling-down' },
      { channel: 4, channel_name: '', reason: 'of-a-later-version' },
    ]
    open(aTrail({ decision: { candidates: 25, kept: 7, passed_over, passed_over_count: 22 } }))

    const shown = await region('渠道选择')

    expect(shown).toMatch(/25 个渠道.*沿用渠道 #7.*跳过 22 个/)
    expect(shown).toContain('#3 dry dock 最近出错，正在冷却')
    expect(shown).toContain('#4 of-a-later-version')
    expect(shown).toContain('另有 20 个未列出')
  })

  it('says what was charged, which output limit was applied and why, and what could not be collected', async () => {
    open(aTrail())

    expect(await region('扣费')).toBe(
      '扣费从余额扣除 $0.006 (3,000 额度)。其中 $0.006 (3,000 额度) 计入令牌额度。' +
        '输出被限制为 12,345 个 token：余额或令牌额度只够这么多。客户端已断开，但供应商仍会对该请求收费。' +
        '余额不足，另有 $0.0015 (750 额度) 未能收取。',
    )
    expect(screen.getByText('没有记录各步的时间。')).toBeTruthy()
  })

  it('tells of a call that failed from its failed attempts alone', async () => {
    const { row: _none, ...trail } = aTrail({ outcome: 'failed', charged: { quota: 0, token_quota: 0, uncovered: 0 } })
    const failure = aLog({ status_code: 503, error_code: 'overloaded' }, { type: 6, content: 'Busy.', channel: 3 })
    open({ ...trail, errors: [failure] })

    expect(await region('失败的尝试')).toMatch(/Busy\..*#3.*503.*overloaded/)
    expect(await region('扣费')).toContain('没有扣费')
    expect(screen.getByText('失败')).toBeTruthy()
    expect(screen.queryByRole('region', { name: '时间线' })).toBeNull()
  })

  it('explains a rejected request, with the detail for administrators', async () => {
    const { row: _none, ...trail } = aTrail({
      outcome: 'rejected',
      charged: { quota: 0, token_quota: 0, uncovered: 0 },
    })
    const admin_info = { method: 'POST', path: '/v1/chat/completions', client: 'codex/1' }
    const fields = { rejected: true, error_code: 'no_channel', status_code: 404, not_recorded: 1200, admin_info }
    const passed_over = [{ channel: 3, channel_name: 'dry dock', reason: 'disabled' }]
    open({
      ...trail,
      errors: [aLog(fields, { type: 6, content: 'The model m is out of service.', channel: 0 })],
      decision: { candidates: 0, passed_over, passed_over_count: 1 },
    })

    const shown = await region('拒绝原因')

    expect(shown).toContain('The model m is out of service.')
    expect(shown).toContain('均已禁用')
    expect(shown).toMatch(/404.*no_channel.*POST \/v1\/chat\/completions.*codex\/1.*另有 1,200 个/)
    expect(await region('渠道选择')).toContain('#3 dry dock 已禁用')
    expect(await region('扣费')).toContain('没有扣费')
    expect(screen.getByText('已拒绝')).toBeTruthy()
    expect(screen.queryByRole('region', { name: '失败的尝试' })).toBeNull()
  })

  it('can be asked for again after trouble on the way', async () => {
    let isUp = false
    fakeServer({
      'GET /api/log/request': () => (isUp ? succeeded(aTrail()) : refused('internal_error', 'oops', 500)),
    })
    renderScreen(RequestPage, { at: '/app/logs/request/x' })
    await screen.findByText('请求加载失败')

    isUp = true
    fireEvent.click(screen.getByRole('button', { name: '重试' }))

    expect(await screen.findByText('已完成')).toBeTruthy()
  })
})
