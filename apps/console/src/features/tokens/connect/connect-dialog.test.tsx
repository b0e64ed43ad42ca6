import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberUser } from '../../../api/session.ts'
import { eventually } from '../../../../test/eventually.ts'
import { fakeServer, refused, succeeded } from '../../../../test/fake-server.ts'
import { renderScreen } from '../../../../test/render-screen.tsx'
import { aStatus, aUser } from '../../../../test/samples.ts'
import TokensPage from '../tokens-page.tsx'

const TOKEN = {
  id: 4,
  name: 'laptop',
  key: 'abcdefghijklmnopqrstuvwxyz0123456789',
  status: 1,
  model_limits_enabled: false,
  model_limits: '',
}
const PRICED = [{ model_name: 'm-1', context: 400_000, max_output: 8000, abilities: ['vision'] }]
const SECRET = 'sk-abcdefghijklmnopqrstuvwxyz0123456789'

beforeEach(() => rememberUser(aUser()))

interface Options {
  token?: Partial<typeof TOKEN>
  tool?: string
  status?: Parameters<typeof aStatus>[0]
  routes?: Parameters<typeof fakeServer>[0]
}

function open({ token = {}, tool = '', status = {}, routes = {} }: Options = {}) {
  const server = fakeServer({
    'GET /api/token': succeeded([]),
    'GET /api/token/4': succeeded({ ...TOKEN, ...token }),
    'GET /api/user/self/groups': succeeded({}),
    'GET /api/user/models': succeeded(['dall-e-3', 'm-1', 'm-2']),
    'GET /api/pricing': { json: { success: true, data: PRICED, group_ratio: {}, usable_group: {} } },
    ...routes,
  })
  const at = `/app/tokens?drawer=connect&id=4${tool && `&tool=${tool}`}`
  return { ...server, ...renderScreen(TokensPage, { at, status: aStatus(status) }) }
}

const dialog = () => screen.findByRole('dialog', { name: '连接 · laptop' })

function watchClipboard() {
  const writeText = vi.fn(async () => {})
  vi.stubGlobal('navigator', { userAgent: navigator.userAgent, clipboard: { writeText } })
  return writeText
}

describe('the connect dialog', () => {
  it('opens with the focus on copying the key', async () => {
    open()
    const copy = within(await dialog()).getByRole('button', { name: '复制密钥' })

    await eventually(() => expect(document.activeElement).toBe(copy))
  })

  it('masks the key on the screen but copies the whole key', async () => {
    const copied = watchClipboard()
    open({ status: { server_address: 'https://gate.example/' } })
    const parts = within(await dialog())
    const settings = await parts.findByLabelText('~/.claude/settings.json')
    await eventually(() => expect(settings.textContent).toContain('"ANTHROPIC_MODEL": "m-1"'))
    expect(settings.textContent).toContain('"ANTHROPIC_BASE_URL": "https://gate.example"')
    expect(settings.textContent).not.toContain(SECRET)

    fireEvent.click(parts.getByRole('button', { name: '复制 ~/.claude/settings.json' }))

    await eventually(() => expect(copied).toHaveBeenCalledWith(expect.stringContaining(`"${SECRET}"`)))
    fireEvent.click(parts.getByRole('button', { name: '显示密钥' }))
    expect(settings.textContent).toContain(SECRET)
  })

  it('opens with the tool in the URL and a model that the token may call', async () => {
    const { seen } = open({ tool: 'codex', token: { model_limits_enabled: true, model_limits: 'm-7,m-8' } })

    const config = await within(await dialog()).findByLabelText('~/.codex/config.toml')

    expect(config.textContent).toContain('model = "m-7"')
    expect(config.textContent).toContain('name = "Harbour"')
    expect(seen.map(({ path }) => path)).not.toContain('/api/user/models')
  })

  it('sets the limits of the model, and shows the tests of the tool', async () => {
    open({ tool: 'opencode' })
    const parts = within(await dialog())
    const config = await parts.findByLabelText('opencode.json')

    await eventually(() => expect(config.textContent).toContain('"context": 400000'))

    const tests = within(await parts.findByRole('region', { name: '测试' }))
    expect(tests.getByText('Anthropic Messages')).toBeTruthy()
    expect(tests.getAllByText(/^✓ 可用：文本/).length).toBeGreaterThan(0)
    expect(tests.getByText('– 供应商没有：图片')).toBeTruthy()
    const link = tests.getByRole('link', { name: '全部已测试的客户端和功能' })
    expect(link.getAttribute('href')).toBe('/docs/zh/reference/client-conformance')
  })

  it('shows the commands of the selected shell', async () => {
    open()
    const parts = within(await dialog())
    await parts.findByLabelText('macOS / Linux', { selector: 'pre' })

    fireEvent.click(parts.getByRole('radio', { name: 'Windows PowerShell' }))

    expect(await parts.findByLabelText('Windows PowerShell', { selector: 'pre' })).toBeTruthy()
    expect(parts.queryByLabelText('macOS / Linux', { selector: 'pre' })).toBeNull()
  })

  it('opens the saved chats with the key filled in', async () => {
    open({ tool: 'chat', status: { chats: [{ Page: 'https://chat.example/#{key}' }, { App: 'app://x?k={key}' }] } })

    const link = await within(await dialog()).findByRole('link', { name: '用 Page 打开' })

    expect(link.getAttribute('href')).toBe(`https://chat.example/#${SECRET}`)
    expect(screen.getByRole('link', { name: '用 App 打开' }).getAttribute('target')).toBeNull()
  })

  it('shows that a token is disabled and that no model is available', async () => {
    open({ token: { status: 2 }, routes: { 'GET /api/user/models': succeeded([]) } })
    const parts = within(await dialog())

    expect(await parts.findByText(/这个令牌目前不可用/)).toBeTruthy()
    expect(await parts.findByText(/目前没有可用的模型/)).toBeTruthy()
  })

  it('shows that a token does not exist', async () => {
    open({ routes: { 'GET /api/token/4': refused('token_not_found', '令牌不存在') } })

    expect(await screen.findByText('令牌不存在或已删除')).toBeTruthy()
  })
})

describe('the test request', () => {
  const response = {
    headers: { 'x-request-id': 'r-1' },
    json: { choices: [{ message: { content: 'Hi.' } }], usage: { prompt_tokens: 12, completion_tokens: 3 } },
  }
  const send = async () => {
    const button = await screen.findByRole('button', { name: '发送测试请求' })
    await eventually(() => expect(button).toHaveProperty('disabled', false))
    fireEvent.click(button)
  }

  it('shows the response immediately and the cost once it is settled', async () => {
    let polls = 0
    const { seen } = open({
      tool: 'try',
      routes: {
        'POST /v1/chat/completions': response,
        'GET /api/log/self': () => succeeded({ items: (polls += 1) < 3 ? [] : [{ quota: 250 }] }),
      },
    })

    await send()

    expect(await screen.findByText('Hi.')).toBeTruthy()
    expect(screen.getByText('12 / 3')).toBeTruthy()
    expect(screen.getByText('正在结算…')).toBeTruthy()
    expect(await screen.findByText('$0.0005')).toBeTruthy()
    expect(seen.find(({ path }) => path === '/api/log/self')!.query).toMatchObject({ request_id: 'r-1', type: '2' })
  })

  it('shows the error, its code, the request ID and the next step', async () => {
    const { address } = open({
      tool: 'try',
      routes: {
        'POST /v1/chat/completions': {
          status: 401,
          headers: { 'x-request-id': 'r-2' },
          json: { error: { message: '该令牌已停用 (request id: r-2)', code: 'api_key_disabled' } },
        },
      },
    })

    await send()

    const alert = within(await screen.findByRole('alert', { name: '请求被拒绝' }))
    expect(alert.getByText('该令牌已停用')).toBeTruthy()
    expect(alert.getByText('api_key_disabled')).toBeTruthy()
    expect(alert.getByText('r-2')).toBeTruthy()
    fireEvent.click(alert.getByRole('button', { name: '编辑令牌' }))
    await eventually(() => expect(address()).toBe('/app/tokens?drawer=edit&id=4'))
  })

  it('is aborted by the stop button', async () => {
    let signal: AbortSignal | undefined
    open({ tool: 'try' })
    await screen.findByRole('button', { name: '发送测试请求' })
    const originalFetch = fetch
    vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
      if (!address.endsWith('/v1/chat/completions')) return originalFetch(address, init)
      signal = init.signal!
      return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)))
    })

    await send()
    fireEvent.click(await screen.findByRole('button', { name: '停止' }))

    expect(signal!.aborted).toBe(true)
    await eventually(() => expect(screen.queryByText('正在等待模型响应…')).toBeNull())
  })
})
