import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useSession } from '../../api/session.ts'
import { fakeServer, succeeded, type SeenRequest } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aStatus, aUser } from '../../../test/samples.ts'
import HomePage from './home-page.tsx'

const aModel = (model_name: string, owner_by: string, rates: object) => ({
  model_name,
  owner_by,
  rates,
  quota_type: 0,
  model_ratio: 1,
  model_price: 0,
  completion_ratio: 1,
  enable_groups: ['default'],
  priced_group: 'default',
  abilities: [],
  context: 128_000,
})
const noFigures = () => succeeded({ calls: 0, hours: [] })
const open = (
  content: string,
  status = aStatus(),
  models: object[] = [],
  figures: (request: SeenRequest) => ReturnType<typeof succeeded> = noFigures,
) => {
  fakeServer({
    'GET /api/home_page_content': succeeded(content),
    'GET /api/pricing': { json: { success: true, data: models, group_ratio: {}, usable_group: {} } },
    'GET /api/pricing/figures': figures,
  })
  return renderScreen(HomePage, { at: '/', status })
}

beforeEach(() => useSession.setState({ user: null }))

describe('the landing page', () => {
  it('shows code with the base URL of the site, and copies it in place', async () => {
    const writeText = vi.fn(async () => {})
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
    open('', aStatus({ server_address: 'https://gate.example/' }))

    const code = await screen.findByRole('region', { name: '代码示例' })
    fireEvent.click(within(code).getByRole('tab', { name: 'Node' }))
    expect(within(code).getByRole('tabpanel', { name: 'Node' }).textContent).toContain(
      'baseURL: "https://gate.example/v1"',
    )
    fireEvent.click(within(code).getByRole('tab', { name: 'Claude Code' }))
    expect(within(code).getByText('https://gate.example')).toBeTruthy()
    fireEvent.click(within(code).getByRole('button', { name: '复制接口地址' }))
    expect(await within(code).findByText('已复制')).toBeTruthy()
    expect(writeText).toHaveBeenCalledWith('https://gate.example')
  })

  it('uses a model that is priced by token in the code', async () => {
    const video = { ...aModel('sora-2', 'OpenAI', {}), model_ratio: 0, context: 900_000 }
    open('', aStatus(), [video, aModel('gpt-4o', 'OpenAI', {})])

    const code = await screen.findByRole('region', { name: '代码示例' })
    await waitFor(() => expect(code.textContent).toContain('"gpt-4o"'))
    expect(code.textContent).not.toContain('sora-2')
  })

  it.each([
    ['a signed-in user', aUser(), aStatus(), '进入控制台', '/app/tokens'],
    ['a visitor', null, aStatus(), '获取 API 令牌', '/register'],
    ['a visitor of a site without registration', null, aStatus({ register_enabled: false }), '登录', '/login'],
    ['a visitor of a self-use site', null, aStatus({ self_use_mode_enabled: true }), '登录', '/login'],
  ])('has a main link for %s', async (_who, user, status, name, path) => {
    useSession.setState({ user })
    open('', status)

    expect((await screen.findByRole('link', { name })).getAttribute('href')).toBe(path)
  })

  it('has no price table without models', async () => {
    open('')
    await screen.findByRole('heading', { level: 1 })

    await waitFor(() => expect(screen.queryByRole('heading', { name: '价格' })).toBeNull())
  })

  it('has the columns of the loaded table while it loads', async () => {
    open('', aStatus(), [aModel('gpt-5', 'OpenAI', { input: 1.25, output: 10 })], () =>
      succeeded({ calls: 0, hours: [] }),
    )
    const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    await screen.findByRole('heading', { name: '价格' })
    const before = headings()

    await screen.findByRole('link', { name: 'gpt-5' })

    expect(before).toHaveLength(7)
    expect(headings()).toEqual(before)
  })

  it('lists prices per 1M tokens, and metrics of models with traffic only', async () => {
    const models = [
      aModel('gpt-5', 'OpenAI', { input: 1.25, output: 10 }),
      aModel('gpt-4', 'OpenAI', { input: 30, output: 60 }),
      aModel('claude', 'Anthropic', { input: 3, output: 15 }),
    ]
    open('', aStatus(), models, ({ query }) =>
      succeeded(
        query.model === 'claude'
          ? { calls: 3, availability: 0.99995, first_token_p50: 710, hours: [{ hour: 1, calls: 3, failed: 0 }] }
          : { calls: 0, hours: [] },
      ),
    )

    await screen.findByText('99.99%')
    const rows = screen.getAllByRole('row').map((row) => row.textContent)
    expect(rows.slice(1)).toEqual([
      'gpt-4OpenAI128K$30.000$60.000––',
      'claudeAnthropic128K$3.000$15.0000.71 s99.99%',
      'gpt-5OpenAI128K$1.250$10.000––',
    ])
    expect(screen.getByRole('link', { name: 'gpt-5' }).getAttribute('href')).toBe('/pricing/gpt-5')
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'anthropic' } })
    expect(screen.getAllByRole('row')).toHaveLength(2)
  })
})

describe('the home page of the operator', () => {
  it('is sanitized', async () => {
    const { container } = open('<h2>Tides</h2><script>alert(1)</script>')

    expect(await screen.findByRole('heading', { name: 'Tides' })).toBeTruthy()
    expect(container.querySelector('script')).toBeNull()
  })

  it('is a web page in a frame that cannot navigate this window', async () => {
    open(' https://welcome.example/start ')

    const frame = await screen.findByTitle('Harbour 首页')
    expect(frame.getAttribute('src')).toBe('https://welcome.example/start')
    expect(frame.getAttribute('sandbox')).toBe(
      'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-same-origin',
    )
  })

  it('is trusted HTML in a frame without an origin', async () => {
    open('<b>a</b>', aStatus({ trusted_html_enabled: true }))

    const frame = await screen.findByTitle('Harbour 首页')
    expect(frame.getAttribute('src')).toBe('/custom/pages/home#theme=light&lang=zh')
    expect(frame.getAttribute('sandbox')).not.toContain('allow-same-origin')
  })
})
