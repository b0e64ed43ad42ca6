import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { startTestLanguage } from '../../../test/language.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aShadowCall, aShadowSummary, UNMATCHED } from '../../../test/sample-shadow.ts'
import { aUser } from '../../../test/samples.ts'
import ShadowPage from './shadow-page.tsx'

const ADMIN = aUser({ id: 2, username: 'mate', role: 10 })

beforeAll(() => {
  Element.prototype.scrollIntoView = () => {} // nothing can be scrolled here
})
beforeEach(() => rememberUser(aUser({ id: 1, username: 'captain', role: 100 })))

const page = (...items: ReturnType<typeof aShadowCall>[]) =>
  succeeded({ items, total: items.length, page: 1, page_size: 10 })

function open({ at = '', routes = {} }: { at?: string; routes?: Parameters<typeof fakeServer>[0] } = {}) {
  const server = fakeServer({
    'GET /api/shadow/summary': succeeded(aShadowSummary()),
    'GET /api/shadow/calls': page(aShadowCall()),
    ...routes,
  })
  const view = renderScreen(ShadowPage, { at: `/app/shadow${at}` })
  return { ...view, asked: (path: string) => server.seen.filter((request) => request.path === path) }
}

/** The value under a heading of the summary. */
const tile = async (name: string) => (await screen.findByText(name, { selector: 'dt' })).nextElementSibling!.textContent
const row = (name: RegExp) => screen.findByRole('row', { name })

describe('the summary of shadow mode', () => {
  it('compares both charges in money and per cent', async () => {
    open()

    expect(await tile('已评估的请求')).toBe('1,200')
    expect(await tile('已匹配')).toBe('900')
    expect(await tile('旧网关收费')).toBe('$2.00')
    expect(await tile('新收费')).toBe('$2.10')
    expect(await tile('差额')).toBe('+$0.10+5%')
    expect(screen.queryByText('丢弃的请求')).toBeNull()
  })

  it('says in words why calls would be refused', async () => {
    open()

    fireEvent.click(await screen.findByRole('button', { name: '36 个将被拒绝，查看原因' }))

    expect(await screen.findByText('没有可用渠道')).toBeTruthy()
    expect(screen.getByText('用户余额不足')).toBeTruthy()
    expect(screen.getByText('no_channel')).toBeTruthy()
  })

  it('tells of copies that were dropped', async () => {
    open({ routes: { 'GET /api/shadow/summary': succeeded(aShadowSummary({ dropped: 17 })) } })

    expect(await tile('丢弃的请求')).toContain('17')
  })

  it('asks for the last seven days, or the period that was chosen', async () => {
    const { asked } = open()
    await row(/gpt-4o/)
    const day = new Date()
    const midnight = new Date(day.getFullYear(), day.getMonth(), day.getDate() - 6).getTime() / 1000
    expect(asked('/api/shadow/summary')[0]!.query['start']).toBe(String(midnight))

    const again = open({ at: '?range=custom&start=100&end=200' })

    await waitFor(() => expect(again.asked('/api/shadow/summary')[0]!.query).toEqual({ start: '100', end: '200' }))
  })

  it('says what went wrong, and asks again', async () => {
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

describe('the calls of a period', () => {
  it('by model show no charge where nothing was matched', async () => {
    open()

    const cells = within(await row(/claude-sonnet/)).getAllByRole('cell')

    expect(cells.map(({ textContent }) => textContent)).toEqual(['claude-sonnet', '400', '0', '–', '–', '–'])
  })

  it('by route say in words where the channel is another', async () => {
    open({ at: '?view=routes' })

    expect(within(await row(/lagoon.*170/)).getByText('渠道不同')).toBeTruthy()
    expect(within(await row(/700/)).getByText('同一渠道')).toBeTruthy()
    expect(within(await row(/30$/)).getByText('将被拒绝')).toBeTruthy()
  })

  it('lead from a model to its calls one by one', async () => {
    const { asked, address } = open()

    fireEvent.click(await screen.findByRole('button', { name: '查看 gpt-4o 的请求' }))

    await row(/mira/)
    expect(address()).toBe('/app/shadow?view=calls&model=gpt-4o')
    expect(asked('/api/shadow/calls')[0]!.query).toMatchObject({ model_name: 'gpt-4o', p: '1', page_size: '10' })
  })

  it('one by one say how each compares', async () => {
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
    for (const words of ['收费不同', '$0.10', '$0.11', '+$0.01', '+10%']) expect(alpha.getByText(words)).toBeTruthy()
    expect(within(await row(/bravo/)).getByText('渠道不同')).toBeTruthy()
    expect(within(await row(/charlie/)).getByText('令牌无权使用该模型')).toBeTruthy()
    expect(within(await row(/delta/)).getByText('未匹配')).toBeTruthy()
    expect(screen.getByText('显示: 有差异')).toBeTruthy()
  })

  it('open to everything that is known of one', async () => {
    open({ at: '?view=calls' })
    fireEvent.click(await screen.findByRole('button', { name: '查看 gpt-4o 请求 #1 的详情' }))

    const dialog = within(await screen.findByRole('dialog'))

    for (const words of ['/v1/chat/completions', 'laptop', '流式', '118', '250', '$0.01']) {
      expect(dialog.getAllByText(words).length).toBeGreaterThan(0)
    }
  })
})

describe('shadow mode itself', () => {
  it('is switched by the super admin through the options of the site', async () => {
    const { asked } = open({
      routes: {
        'GET /api/shadow/summary': succeeded(aShadowSummary({ enabled: false, calls: 0, matched: 0 })),
        'PUT /api/option': succeeded(),
      },
    })

    fireEvent.click(await screen.findByRole('switch', { name: '影子模式' }))

    await screen.findByText('这段时间没有镜像请求')
    expect(asked('/api/option').map(({ body }) => body)).toEqual([{ key: 'ShadowEnabled', value: 'true' }])
    expect(screen.getByRole('switch').getAttribute('aria-checked')).toBe('true')
  })

  it('takes a share from 0 to 100', async () => {
    const { asked } = open({ routes: { 'PUT /api/option': succeeded() } })
    const person = userEvent.setup({ delay: null, pointerEventsCheck: 0 })
    const field = await screen.findByRole('textbox', { name: '采样比例' })

    await person.tripleClick(field)
    await person.keyboard('101{Enter}')
    expect(asked('/api/option')).toEqual([])
    await person.tripleClick(field)
    await person.keyboard('25{Enter}')

    await screen.findByText('已保存')
    expect(asked('/api/option').map(({ body }) => body)).toEqual([{ key: 'ShadowShare', value: '25' }])
  })

  it('is only told to other administrators, who may not clear it either', async () => {
    rememberUser(ADMIN)
    open({ routes: { 'GET /api/shadow/summary': succeeded(aShadowSummary({ share: 25 })) } })

    expect(await screen.findByText('评估 25% 的镜像请求')).toBeTruthy()
    expect(screen.queryByRole('switch')).toBeNull()
    expect(screen.queryByRole('button', { name: '清空' })).toBeNull()
    expect(screen.getByRole('button', { name: '与旧日志对账' })).toBeTruthy()
  })

  it('has a configuration for nginx at hand, and a guide in the language of the reader', async () => {
    open()
    await row(/gpt-4o/)
    expect(screen.getByText(/mirror \/tidegate-shadow;/)).toBeTruthy()
    expect(screen.getByRole('link', { name: '影子模式指南' }).getAttribute('href')).toBe('/docs/zh/guides/shadow')

    await startTestLanguage('en')

    const link = await screen.findByRole('link', { name: 'Shadow mode guide' })
    expect(link.getAttribute('href')).toBe('/docs/guides/shadow')
  })
})

describe('comparing with the old log', () => {
  it('says how to bring it while nothing is matched', async () => {
    open({ routes: { 'GET /api/shadow/summary': succeeded(aShadowSummary({ matched: 0 })) } })

    expect((await screen.findByRole('note')).textContent).toContain('tidegate import')
    expect(await tile('差额')).toBe('–')
  })

  it('says how many were matched and how many are left, and shows the new figures', async () => {
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

  it('can begin anew after a question', async () => {
    const { asked } = open({ routes: { 'DELETE /api/shadow/calls': succeeded(1200) } })
    await row(/gpt-4o/)
    fireEvent.click(screen.getByRole('button', { name: '清空' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(asked('/api/shadow/calls')).toEqual([])

    fireEvent.click(dialog.getByRole('button', { name: /清\s?空/ }))

    expect(await screen.findByText('已清空 1,200 个影子请求')).toBeTruthy()
    expect(asked('/api/shadow/calls').map(({ method }) => method)).toContain('DELETE')
  })
})
