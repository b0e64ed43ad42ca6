import type { RequestTrail } from '@tidegate/contract/api'
import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { eventually } from '../../../test/eventually.ts'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aLog } from '../../../test/sample-log.ts'
import { aUser } from '../../../test/samples.ts'
import RequestPage from './request-page.tsx'
import { curlOf } from './request-view.tsx'

beforeEach(() => rememberUser(aUser({ id: 1, username: 'admin', role: 100 })))

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
  return renderScreen(RequestPage, { at: '/app/logs/request/x' })
}

const region = async (name: string) => (await screen.findByRole('region', { name })).textContent

describe('the page of a request', () => {
  it('shows the timeline, the receipt and the details below each other', async () => {
    open(aTrail())

    await screen.findByRole('region', { name: '详情' })

    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      '时间线',
      '账单',
      '扣费',
      '详情',
    ])
  })

  it('shows why channels were skipped and how many are not listed', async () => {
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

  it('lists attempts with their channels and collapses the steps before them', async () => {
    open(
      aTrail({
        steps: [
          { kind: 'authenticate', started: 0, took: 1 },
          { kind: 'route', started: 1, took: 1 },
          {
            kind: 'attempt',
            started: 2,
            took: 300,
            served: false,
            status: 503,
            channel: 3,
            channel_name: 'dry dock',
            reason: 'timeout: ',
          },
          { kind: 'attempt', started: 302, took: 700, served: true, channel: 4, channel_name: 'harbour' },
          { kind: 'first_token', started: 800, took: 0 },
          { kind: 'answer', started: 1002, took: 500 },
        ],
      }),
    )

    const shown = (await screen.findByRole('region', { name: /时间线/ })).textContent

    expect(shown).toMatch(/路由前 2 步.*1dry dock.*300 ms.*失败供应商超时 · HTTP 503.*2harbour.*700 ms.*成功/)
    expect(shown).toContain('首字 第 800 ms')
  })

  it('shows one factor per line, the charge, the output limit and the uncollected amount', async () => {
    open(aTrail())

    expect(await region('费用明细')).toMatch(/输入 1,000 token× 每 100 万 \$2\.50\$0\.002500/)
    expect(await region('扣费')).toBe(
      '扣费从余额扣除 $0.006 (3,000 额度)。其中 $0.006 (3,000 额度) 计入令牌额度。' +
        '输出被限制为 12,345 个 token：余额或令牌额度只够这么多。客户端已断开，但供应商仍会对该请求收费。' +
        '余额不足，另有 $0.0015 (750 额度) 未能收取。',
    )
  })

  it('names what the provider and the client did not receive', async () => {
    const lost = { dropped: ['annotations', 'seed'], dropped_response: ['logprobs'] }
    open(aTrail({ row: aLog(lost, { quota: 3000 }) }))

    expect(await region('扣费')).toMatch(/没有传送：annotations, seed。.*没有返回：logprobs。/)
  })

  it('shows the error and the next steps of a failed request first', async () => {
    const { row: _none, ...trail } = aTrail({ outcome: 'failed', charged: { quota: 0, token_quota: 0, uncovered: 0 } })
    const failure = aLog(
      { status_code: 503, error_code: 'overloaded' },
      { type: 6, content: 'Busy.', channel: 3, channel_name: 'dry dock', attempts: 2 },
    )
    const { address } = open({ ...trail, errors: [failure] })

    expect(await region('失败原因')).toContain('全部 2 次尝试均失败。 调用方收到 503。')
    expect(screen.getAllByText(/Busy\./)).toHaveLength(1)
    expect(screen.queryByRole('region', { name: '失败的尝试' })).toBeNull()
    expect(screen.getByRole('link', { name: '打开渠道 dry dock' }).getAttribute('href')).toBe('/channel/edit/3')
    expect(await region('扣费')).toContain('没有扣费')
    fireEvent.click(screen.getByRole('button', { name: 'mira 的错误' }))
    await eventually(() => expect(address()).toBe('/app/logs/api-usage?status=error&username=mira'))
  })

  it('lists every failed attempt, and repeats no message', async () => {
    const { row: _none, ...trail } = aTrail({ outcome: 'failed' })
    const failures = [
      aLog({ status_code: 429 }, { id: 1, type: 6, content: 'Slow down.', channel: 2, channel_name: 'quay' }),
      aLog({ status_code: 503 }, { id: 2, type: 6, content: 'Busy.', channel: 3, channel_name: 'dry dock' }),
    ]
    open({ ...trail, errors: failures })

    expect(await region('失败的尝试')).toMatch(/#2 quay.*429.*Slow down\..*#3 dry dock.*503/)
    expect(screen.getAllByText(/Busy\./)).toHaveLength(1)
  })

  it('explains a rejected request, with details for administrators', async () => {
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

    const shown = await region('失败原因')

    // The message is written for callers; administrators need other steps.
    expect(shown).toMatch(/^没有可用渠道.*均已禁用.*调用方收到 404：“The model m is out of service.”/)
    expect(shown).toContain('另有 1,200 个')
    expect(await region('渠道选择')).toContain('#3 dry dock 已禁用')
    expect(screen.getByText('已拒绝')).toBeTruthy()
    expect(screen.queryByRole('region', { name: '失败的尝试' })).toBeNull()
    expect(await region('详情')).toMatch(/POST \/v1\/chat\/completions.*codex\/1/)
  })

  it.each([
    [100, '/admin/prices?show=unpriced'],
    [10, undefined],
  ])('links a missing price to the prices, for those who may set them (role %i)', async (role, link) => {
    rememberUser(aUser({ id: 1, username: 'admin', role }))
    const { row: _none, ...trail } = aTrail({ outcome: 'rejected' })
    const fields = { rejected: true, error_code: 'model_price_error', status_code: 403 }
    open({ ...trail, errors: [aLog(fields, { type: 6, content: 'no price', channel: 0 })] })

    expect(await region('失败原因')).toContain('价格与分组')

    expect(screen.queryByRole('link', { name: '设置价格' })?.getAttribute('href')).toBe(link)
  })

  it('can be loaded again after an error', async () => {
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

describe('a request as cURL', () => {
  it('has a placeholder where the conversation was not stored', () => {
    expect(curlOf(aLog(), 'https://api.example/')).toContain("curl 'https://api.example/v1/chat/completions'")
    expect(curlOf(aLog(), 'https://api.example')).toContain('YOUR_PROMPT')
    expect(curlOf(aLog({ claude: true, input_content: 'Hi' }), 'https://api.example')).toMatch(/v1\/messages.*Hi/s)
  })
})
