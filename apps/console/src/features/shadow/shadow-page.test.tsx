import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { startTestLanguage } from '../../../test/language.ts'
import { showOnPhone } from '../../../test/phone.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aShadowCall, aShadowSummary, UNMATCHED } from '../../../test/sample-shadow.ts'
import { aUser } from '../../../test/samples.ts'
import ShadowPage from './shadow-page.tsx'

const ADMIN = aUser({ id: 2, username: 'mate', role: 10 })

beforeEach(() => rememberUser(aUser({ id: 1, username: 'root', role: 100 })))

const page = (...items: ReturnType<typeof aShadowCall>[]) =>
  succeeded({ items, total: items.length, page: 1, page_size: 10 })

function open({ at = '', routes = {} }: { at?: string; routes?: Parameters<typeof fakeServer>[0] } = {}) {
  const server = fakeServer({
    'GET /api/shadow/summary': succeeded(aShadowSummary()),
    'GET /api/shadow/calls': page(aShadowCall()),
    ...routes,
  })
  const view = renderScreen(ShadowPage, { at: `/app/shadow${at}` })
  return { ...view, requested: (path: string) => server.seen.filter((request) => request.path === path) }
}

/** The value under a heading of the summary. */
const tile = async (name: string) => (await screen.findByText(name, { selector: 'dt' })).nextElementSibling!.textContent
const row = (name: RegExp) => screen.findByRole('row', { name })

describe('the summary of shadow mode', () => {
  it('shows both charges and their difference in money and percent', async () => {
    open()

    expect(await tile('已评估的请求')).toBe('1,200')
    expect(await tile('已匹配')).toBe('900')
    expect(await tile('旧网关收费')).toBe('$2.00')
    expect(await tile('新收费')).toBe('$2.10')
    expect(await tile('差额')).toBe('+$0.10+5.0%')
    expect(screen.queryByText('丢弃的请求')).toBeNull()
  })

  it('shows why requests would be rejected', async () => {
    open()

    fireEvent.click(await screen.findByRole('button', { name: '36 个将被拒绝，查看原因' }))

    expect(await screen.findByText('没有可用渠道')).toBeTruthy()
    expect(screen.getByText('用户余额不足')).toBeTruthy()
    expect(screen.getByText('no_channel')).toBeTruthy()
  })

  it('shows the number of dropped copies', async () => {
    open({ routes: { 'GET /api/shadow/summary': succeeded(aShadowSummary({ dropped: 17 })) } })

    expect(await tile('丢弃的请求')).toContain('17')
  })

  it('requests the last seven days or the chosen period', async () => {
    const { requested } = open()
    await row(/gpt-4o/)
    const day = new Date()
    const midnight = new Date(day.getFullYear(), day.getMonth(), day.getDate() - 6).getTime() / 1000
    expect(requested('/api/shadow/summary')[0]!.query['start']).toBe(String(midnight))

    const again = open({ at: '?range=custom&start=100&end=200' })

    await waitFor(() => expect(again.requested('/api/shadow/summary')[0]!.query).toEqual({ start: '100', end: '200' }))
  })

  it('shows an error and loads again on request', async () => {
    let isDown = true
    open({
      routes: {
        'GET /api/shadow/summary': () =>
          isDown ? refused('too_many', '请稍后再试', 429) : succeeded(aShadowSummary()),
      },
    })
    expect((await screen.findByRole('alert')).textContent).toContain('请稍后再试')

    isDown = false
    fireEvent.click(screen.getByRole('button', { name: '重试' }))

    expect(await tile('已评估的请求')).toBe('1,200')
  })
})

describe('the requests of a period', () => {
  it('by model have no charge if nothing was matched', async () => {
    open()

    const cells = within(await row(/claude-sonnet/)).getAllByRole('cell')

    expect(cells.map(({ textContent }) => textContent)).toEqual(['claude-sonnet', '400', '0', '–', '–', '–'])
  })

  it('by route show whether the channel differs', async () => {
    open({ at: '?view=routes' })

    expect(within(await row(/lagoon.*170/)).getByText('渠道不同')).toBeTruthy()
    expect(within(await row(/700/)).getByText('同一渠道')).toBeTruthy()
    expect(within(await row(/30$/)).getByText('将被拒绝')).toBeTruthy()
  })

  it('open from a model', async () => {
    const { requested, address } = open()

    fireEvent.click(await screen.findByRole('button', { name: '查看 gpt-4o 的请求' }))

    await row(/mira/)
    expect(address()).toBe('/app/shadow?view=calls&model=gpt-4o')
    expect(requested('/api/shadow/calls')[0]!.query).toMatchObject({ model_name: 'gpt-4o', p: '1', page_size: '20' })
  })

  it('show how each compares', async () => {
    open({
      at: '?view=calls&only=differs',
      routes: {
        'GET /api/shadow/calls': page(
          aShadowCall({ id: 1, username: 'alpha' }),
          aShadowCall({ id: 2, username: 'bravo', old_channel_id: 9, would_quota: 50_000 }),
          aShadowCall({ id: 3, username: 'charlie', ...UNMATCHED, refusal: 'model_not_allowed', channel_id: null }),
          aShadowCall({ id: 4, username: 'delta', ...UNMATCHED }),
        ),
      },
    })

    const alpha = within(await row(/alpha/))
    for (const text of ['收费不同', '$0.10', '$0.11', '+$0.01', '+10.0%']) expect(alpha.getByText(text)).toBeTruthy()
    expect(within(await row(/bravo/)).getByText('渠道不同')).toBeTruthy()
    expect(within(await row(/charlie/)).getByText('令牌无权使用该模型')).toBeTruthy()
    expect(within(await row(/delta/)).getByText('未匹配')).toBeTruthy()
  })

  it('are cards on a phone that show both channels after a tap', async () => {
    showOnPhone()
    open({ at: '?view=calls' })

    fireEvent.click(await screen.findByRole('button', { name: /^详情 gpt-4o/ }))

    for (const text of ['旧渠道', '新渠道']) expect(screen.getByText(text)).toBeTruthy()
  })

  it('have a dialog with all details', async () => {
    open({ at: '?view=calls' })
    fireEvent.click(await screen.findByRole('button', { name: '查看 gpt-4o 请求 #1 的详情' }))

    const dialog = within(await screen.findByRole('dialog'))

    for (const text of ['/v1/chat/completions', 'laptop', '流式', '118', '250', '$0.01']) {
      expect(dialog.getAllByText(text).length).toBeGreaterThan(0)
    }
  })
})

describe('the settings of shadow mode', () => {
  it('are changed by the super admin as options of the site', async () => {
    const { requested } = open({
      routes: {
        'GET /api/shadow/summary': succeeded(aShadowSummary({ enabled: false, calls: 0, matched: 0 })),
        'PUT /api/option': succeeded(),
      },
    })

    fireEvent.click(await screen.findByRole('button', { name: '打开影子模式' }))

    await screen.findByText('这段时间没有镜像请求')
    expect(requested('/api/option').map(({ body }) => body)).toEqual([{ key: 'ShadowEnabled', value: 'true' }])
    expect(screen.getByRole('switch').getAttribute('aria-checked')).toBe('true')
  })

  it('are hidden with all other tools while shadow mode is off and has no requests', async () => {
    open({ routes: { 'GET /api/shadow/summary': succeeded(aShadowSummary({ enabled: false, calls: 0, matched: 0 })) } })

    await screen.findByText('影子模式已关闭')
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['打开影子模式'])
    expect(screen.queryByRole('switch')).toBeNull()
  })

  it('accept a share from 0 to 100', async () => {
    const { requested } = open({ routes: { 'PUT /api/option': succeeded() } })
    const person = userEvent.setup({ delay: null, pointerEventsCheck: 0 })
    const field = await screen.findByRole('textbox', { name: '采样比例' })

    await person.tripleClick(field)
    await person.keyboard('101{Enter}')
    expect(requested('/api/option')).toEqual([])
    await person.tripleClick(field)
    await person.keyboard('25{Enter}')

    await screen.findByText('已保存')
    expect(requested('/api/option').map(({ body }) => body)).toEqual([{ key: 'ShadowShare', value: '25' }])
  })

  it('are read-only for other administrators, who cannot clear requests either', async () => {
    rememberUser(ADMIN)
    open({ routes: { 'GET /api/shadow/summary': succeeded(aShadowSummary({ share: 25 })) } })

    expect(await screen.findByText('评估 25% 的镜像请求')).toBeTruthy()
    expect(screen.queryByRole('switch')).toBeNull()
    expect(screen.queryByRole('button', { name: '清空' })).toBeNull()
    expect(screen.getByRole('button', { name: '与旧日志对账' })).toBeTruthy()
  })

  it('offer an nginx configuration and a guide in the current language', async () => {
    open()
    await row(/gpt-4o/)
    expect(screen.getByText(/mirror \/tidegate-shadow;/)).toBeTruthy()
    expect(screen.getByRole('link', { name: '影子模式指南' }).getAttribute('href')).toBe('/docs/zh/guides/shadow-mode')

    await startTestLanguage('en')

    const link = await screen.findByRole('link', { name: 'Shadow mode guide' })
    expect(link.getAttribute('href')).toBe('/docs/guides/shadow-mode')
  })
})

describe('comparing with the old log', () => {
  it('explains the import while nothing is matched', async () => {
    open({ routes: { 'GET /api/shadow/summary': succeeded(aShadowSummary({ matched: 0 })) } })

    expect((await screen.findByRole('note')).textContent).toContain('tidegate import')
    expect(await tile('差额')).toBe('–')
  })

  it('shows how many requests were matched and updates the summary', async () => {
    let isMatched = false
    open({
      routes: {
        'GET /api/shadow/summary': () => succeeded(aShadowSummary({ matched: isMatched ? 1000 : 900 })),
        'POST /api/shadow/match': () => {
          isMatched = true
          return succeeded({ matched: 100, left: 200 })
        },
      },
    })
    expect(await tile('已匹配')).toBe('900')

    fireEvent.click(screen.getByRole('button', { name: '与旧日志对账' }))

    expect(await screen.findByText('匹配 100 个请求，200 个未匹配。')).toBeTruthy()
    await waitFor(async () => expect(await tile('已匹配')).toBe('1,000'))
  })

  it('can be restarted after a confirmation', async () => {
    const { requested } = open({ routes: { 'DELETE /api/shadow/calls': succeeded(1200) } })
    await row(/gpt-4o/)
    fireEvent.click(screen.getByRole('button', { name: '清空' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(requested('/api/shadow/calls')).toEqual([])

    fireEvent.click(dialog.getByRole('button', { name: /清\s?空/ }))

    expect(await screen.findByText('已清空 1,200 个影子请求')).toBeTruthy()
    expect(requested('/api/shadow/calls').map(({ method }) => method)).toContain('DELETE')
  })
})
