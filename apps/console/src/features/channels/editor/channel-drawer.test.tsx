import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { ReauthHost } from '../../../components/reauth/reauth-host.tsx'
import { rememberUser } from '../../../api/session.ts'
import { fakeServer, refused, succeeded } from '../../../../test/fake-server.ts'
import { renderScreen } from '../../../../test/render-screen.tsx'
import { aChannel } from '../../../../test/sample-channel.ts'
import { aSecurity, aUser } from '../../../../test/samples.ts'
import { ChannelDrawers } from '../channel-drawers.tsx'

const SUGGESTED = { '1': ['gpt-4o', 'gpt-4o-mini'], '2': ['mj_imagine'], '14': ['claude-sonnet-4'] }

function DrawersWithReauth() {
  return (
    <>
      <ChannelDrawers />
      <ReauthHost />
    </>
  )
}

function open(at: string, routes: Parameters<typeof fakeServer>[0] = {}) {
  const server = fakeServer({
    'GET /api/models': succeeded(SUGGESTED),
    'GET /api/channel/models': succeeded([{ id: 'gpt-4o', object: 'model', owned_by: 'openai' }]),
    'GET /api/group': succeeded(['default', 'vip']),
    'GET /api/channel/tags': succeeded(['main']),
    'POST /api/channel': succeeded(),
    'POST /api/channel/models_unpriced': succeeded([]),
    ...routes,
  })
  const view = renderScreen(DrawersWithReauth, { at: `/admin/channels?${at}` })
  const sent = (method: string) =>
    server.seen.filter((request) => request.method === method && request.path !== '/api/channel/models_unpriced')
  return { ...view, sent }
}

const fill = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } })

/** A comma ends a name, as Enter does. */
async function addModel(name: string) {
  fireEvent.change(await screen.findByLabelText('模型'), { target: { value: `${name},` } })
}

/** An option of the list, not its copy for screen readers. */
async function chooseType(name: string) {
  fireEvent.mouseDown(await screen.findByLabelText('类型'))
  const options = await screen.findAllByTitle(name)
  fireEvent.click(options.find((option) => option.classList.contains('ant-select-item-option'))!)
}

/** Finds a dialog by its text, because the kit gives all dialogs the same ID in tests. */
async function dialogWith(text: string): Promise<HTMLElement> {
  return (await screen.findByText(text)).closest<HTMLElement>('[role=dialog]')!
}

describe('adding a channel', () => {
  const unpricedRoute: Parameters<typeof fakeServer>[0] = {
    'POST /api/channel/models_unpriced': ({ body }) => {
      const { models, model_mapping, model_prefix } = body as Record<string, string> & { models: string[] }
      const isMapped = JSON.parse(model_mapping || '{}')['own-model'] === 'target'
      const isComplete = isMapped && model_prefix === 'tide/'
      return succeeded(isComplete ? models.filter((name) => name !== 'gpt-4o') : [])
    },
  }
  const redirectBilling = (enabled: boolean) => ({
    'GET /api/option': succeeded([{ key: 'redirect_billing_enabled', value: String(enabled), etag: '"1"' }]),
  })
  const enterRenamed = async () => {
    await addModel('gpt-4o')
    await addModel('own-model')
    fireEvent.click(screen.getByText('添加映射'))
    await fill('请求的模型 1', 'own-model')
    await fill('上游模型 1', 'target')
    await fill('模型前缀', 'tide/')
  }

  it.each([
    [false, 'tide/own-model（需为 target 设置价格）'],
    [true, 'tide/own-model'],
  ])('warns about unpriced models by the name that clients send, redirect billing: %s', async (enabled, name) => {
    rememberUser(aUser({ role: 100 }))
    open('drawer=create', { ...unpricedRoute, ...redirectBilling(enabled) })
    await enterRenamed()

    const warning = await screen.findByText(name)

    const link = within(warning.closest<HTMLElement>('[role=alert]')!).getByRole('link', { name: '设置价格' })
    expect(link.getAttribute('href')).toBe('/admin/prices?show=unpriced')
  })

  it('shows only the names that clients send to administrators who may not set prices', async () => {
    rememberUser(aUser({ role: 10 }))
    open('drawer=create', { ...unpricedRoute, 'GET /api/user/self': succeeded(aUser({ role: 10 })) })
    await enterRenamed()

    expect(await screen.findByText('tide/own-model')).toBeTruthy()
    expect(screen.queryByRole('link', { name: '设置价格' })).toBeNull()
  })

  it('checks for unpriced models after typing stops', async () => {
    const bodies: unknown[] = []
    open('drawer=create', {
      'POST /api/channel/models_unpriced': ({ body }) => {
        bodies.push(body)
        return succeeded([])
      },
    })
    await addModel('own-model')
    const prefix = await screen.findByLabelText('模型前缀')

    for (const value of ['t', 'ti', 'tid', 'tide', 'tide/']) fireEvent.change(prefix, { target: { value } })

    const models = ['own-model']
    await waitFor(() => expect(bodies).toContainEqual({ models, model_mapping: '', model_prefix: 'tide/' }))
    for (const typed of ['t', 'ti', 'tid', 'tide']) {
      expect(bodies).not.toContainEqual({ models, model_mapping: '', model_prefix: typed })
    }
  })

  it('sends the entered values and closes', async () => {
    const { sent, address } = open('drawer=create')
    await fill('名称', ' harbour ')
    await fill('接口地址', 'https://api.example.com/')
    await fill('密钥', 'sk-a,sk-b')
    await addModel('own-model')

    fireEvent.click(screen.getByRole('button', { name: '添加' }))

    await waitFor(() => expect(address()).toBe('/admin/channels'))
    expect(sent('POST')[0]!.body).toMatchObject({
      type: 1,
      name: 'harbour',
      base_url: 'https://api.example.com',
      key: 'sk-a\nsk-b',
      models: 'own-model',
      group: 'default',
      auto_ban: 1,
    })
  })

  it('rejects a second submission while the first is pending, with a message', async () => {
    const { sent } = open('drawer=create', { 'POST /api/channel': () => new Promise<never>(() => {}) })
    await fill('名称', 'harbour')
    await fill('密钥', 'sk-a')
    await addModel('own-model')
    const form = screen.getByLabelText('名称').closest('form')!
    fireEvent.submit(form)
    await waitFor(() => expect(sent('POST')).toHaveLength(1))
    await waitFor(() => expect(document.querySelector('.ant-btn-loading')).toBeTruthy())

    fireEvent.submit(form)

    expect(await screen.findByText('提交失败，请勿重复提交！')).toBeTruthy()
    expect(sent('POST')).toHaveLength(1)
  })

  it('shows the required fields first and the others only under the advanced settings', async () => {
    const { sent } = open('drawer=create')
    const groups = await screen.findByLabelText('分组')
    const advanced = screen.getByRole('button', { name: '高级设置' })
    const optional = ['接口地址', '模型前缀', '标签'].map((label) => screen.getByLabelText(label))
    expect(groups.compareDocumentPosition(advanced)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(optional.map((field) => field.closest('[hidden]') === null)).toEqual([false, false, false])

    fireEvent.click(screen.getByRole('button', { name: '添加' }))

    expect(await screen.findByText('请填写渠道名称')).toBeTruthy()
    expect(await screen.findByText('请填写渠道密钥')).toBeTruthy()
    expect(screen.getByText('请填写渠道名称和渠道密钥！')).toBeTruthy()
    expect(screen.getByText('请至少选择一个模型！')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('密钥'))
    expect(sent('POST')).toEqual([])
    fireEvent.click(advanced)
    expect(optional.map((field) => field.closest('[hidden]') === null)).toEqual([true, true, true])
  })

  it('requires the base URL of a provider without an official one, and shows errors only after a submission', async () => {
    open('drawer=create')
    await fill('接口地址', 'https://mj.example.com')

    await chooseType('Midjourney Proxy')

    expect(await screen.findByText('mj_imagine')).toBeTruthy()
    await waitFor(() => expect(screen.getByLabelText('接口地址').closest('[hidden]')).toBeNull())
    expect(screen.getByLabelText<HTMLInputElement>('接口地址').value).toBe('https://mj.example.com')
    expect(document.querySelectorAll('.ant-form-item-explain-error')).toHaveLength(0)
    await fill('接口地址', '')
    fireEvent.click(screen.getByRole('button', { name: '添加' }))
    expect(await screen.findByText('该类型的渠道必须填写接口地址')).toBeTruthy()
    await chooseType('OpenAI')

    await waitFor(() => expect(screen.queryByText('该类型的渠道必须填写接口地址')).toBeNull())
  })

  it('requires both names of a mapping, expands invalid advanced settings, and sends them once they are valid', async () => {
    const { sent } = open('drawer=create')
    await fill('名称', 'harbour')
    await fill('密钥', 'sk-a')
    await addModel('m')
    fireEvent.click(screen.getByText('添加映射'))
    await fill('请求的模型 1', 'm')
    const advanced = screen.getByRole('button', { name: '高级设置' })
    const add = screen.getByRole('button', { name: '添加' })
    fireEvent.click(add)
    expect(await screen.findByText('请填写两个模型名')).toBeTruthy()
    await fill('上游模型 1', 'n')

    fireEvent.click(advanced)
    await fill('参数覆盖', '{"temperature":')
    await fill('请求头覆盖', '{"x-team":"blue"}')
    fireEvent.click(advanced)
    fireEvent.click(add)
    expect(await screen.findByText('不是合法的 JSON 字符串')).toBeTruthy()
    expect(advanced.getAttribute('aria-expanded')).toBe('true')
    expect(sent('POST')).toEqual([])
    await fill('参数覆盖', '{"temperature":1}')
    fireEvent.click(add)

    await waitFor(() => expect(sent('POST')).toHaveLength(1))
    expect(sent('POST')[0]!.body).toMatchObject({
      header_override: '{"x-team":"blue"}',
      param_override: '{"temperature":1}',
      model_mapping: '{\n  "m": "n"\n}',
    })
  })

  it('asks for confirmation of a base URL that ends in /v1', async () => {
    const { sent, address } = open('drawer=create')
    await fill('名称', 'harbour')
    await fill('接口地址', 'https://api.example.com/v1/')
    await fill('密钥', 'sk-a')
    await addModel('m')

    fireEvent.click(screen.getByRole('button', { name: '添加' }))
    const confirm = await screen.findByRole('button', { name: '仍然使用' })
    expect(sent('POST')).toEqual([])
    fireEvent.click(confirm)

    await waitFor(() => expect(address()).toBe('/admin/channels'))
    expect(sent('POST')[0]!.body).toMatchObject({ base_url: 'https://api.example.com/v1' })
  })

  it('stays open if the server returns an error, and asks for confirmation before it discards entered values', async () => {
    const { address } = open('drawer=create', { 'POST /api/channel': refused('group_unknown', '分组不存在：vip') })
    await fill('名称', 'harbour')
    await fill('密钥', 'sk-a')
    await addModel('m')

    fireEvent.click(screen.getByRole('button', { name: '添加' }))
    expect(await screen.findByText('分组不存在：vip')).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('名称').value).toBe('harbour')
    fireEvent.click(screen.getByRole('button', { name: '取消' }))
    const confirm = await screen.findByRole('button', { name: '放弃修改' })
    expect(address()).toContain('drawer=create')
    fireEvent.click(confirm)

    await waitFor(() => expect(address()).toBe('/admin/channels'))
  })

  it('writes the switches to the JSON and reads them from it', async () => {
    open('drawer=create')
    fireEvent.click(await screen.findByRole('button', { name: '高级设置' }))

    await fill('代理地址', 'socks5://127.0.0.1:1080')
    fireEvent.click(screen.getByRole('switch', { name: '强制格式化' }))
    const json = screen.getByLabelText<HTMLTextAreaElement>('渠道额外设置')
    await waitFor(() =>
      expect(JSON.parse(json.value)).toEqual({ proxy: 'socks5://127.0.0.1:1080', force_format: true }),
    )

    fireEvent.change(json, { target: { value: '{"thinking_to_content": true}' } })
    const thinking = screen.getByRole('switch', { name: '推理内容并入正文' })
    await waitFor(() => expect(thinking.getAttribute('aria-checked')).toBe('true'))
    expect(screen.getByLabelText<HTMLInputElement>('代理地址').value).toBe('')

    fireEvent.change(json, { target: { value: '{' } })
    const format = screen.getByRole<HTMLButtonElement>('switch', { name: '强制格式化' })
    await waitFor(() => expect(format.disabled).toBe(true))
  })

  describe('by pasting a key', () => {
    const KEY = 'sk-ant-api03-0123456789'
    const tested = (result: object) => ({
      'POST /api/channel/fetch_models': succeeded(['claude-sonnet-4', 'claude-other']),
      'POST /api/channel/test': { json: { message: '', time: 0.74, model: 'claude-sonnet-4', ...result } },
    })

    it('recognizes the provider, fetches and tests its models, and names the channel', async () => {
      const { sent } = open('drawer=create', tested({ success: true }))
      await fill('密钥', KEY)

      expect(await screen.findByText('已识别：Anthropic')).toBeTruthy()
      expect(await screen.findByText('已获取 2 个模型')).toBeTruthy()
      expect(await screen.findByText('密钥可用（0.74 秒）')).toBeTruthy()
      expect(screen.getByLabelText<HTMLInputElement>('名称').value).toBe('Anthropic')
      fireEvent.click(screen.getByRole('button', { name: '添加' }))

      await waitFor(() => expect(sent('POST').at(-1)!.path).toBe('/api/channel'))
      expect(sent('POST').at(-1)!.body).toMatchObject({
        type: 14,
        key: KEY,
        models: 'claude-sonnet-4',
        name: 'Anthropic',
      })
    })

    it('shows the message of the provider and adds the channel disabled when the test fails', async () => {
      const { sent, address } = open('drawer=create', {
        ...tested({ success: false, message: 'invalid x-api-key' }),
        'POST /api/channel': succeeded(aChannel({ id: 9 })),
      })
      await fill('密钥', KEY)
      expect(await screen.findByText('invalid x-api-key')).toBeTruthy()

      fireEvent.click(screen.getByRole('button', { name: '仍然添加（禁用）' }))

      await waitFor(() => expect(address()).toBe('/admin/channels'))
      expect(sent('POST').at(-1)).toMatchObject({ path: '/api/channel', body: { disabled: true } })
    })

    it('names a channel of the selected type, asks for a missing key, and tests again from the footer', async () => {
      const { sent } = open('drawer=create', tested({ success: true }))
      fireEvent.click(await screen.findByRole('button', { name: '测试' }))
      expect(await screen.findByText('请填写渠道密钥')).toBeTruthy()
      await fill('密钥', 'sk-proj-0123456789abcdef')
      expect(await screen.findByText('已识别：OpenAI')).toBeTruthy()
      expect(screen.getByLabelText<HTMLInputElement>('名称').value).toBe('OpenAI')
      await screen.findByText('密钥可用（0.74 秒）')
      const tests = () => sent('POST').filter(({ path }) => path === '/api/channel/test').length
      expect(tests()).toBe(1)

      fireEvent.click(screen.getByRole('button', { name: '重新测试' }))

      await waitFor(() => expect(tests()).toBe(2))
    })

    it('asks for the provider of a key that several providers use', async () => {
      const { sent } = open('drawer=create', tested({ success: true }))
      await fill('密钥', 'sk-0123456789abcdef')

      expect(await screen.findByText('请选择供应商')).toBeTruthy()
      expect(sent('POST')).toEqual([])
      await chooseType('Anthropic')

      expect(await screen.findByText('密钥可用（0.74 秒）')).toBeTruthy()
    })
  })

  it('requires a key to fetch models, then offers the models of the provider', async () => {
    const { sent } = open('drawer=create', {
      'POST /api/channel/fetch_models': succeeded(['vendor/one', 'vendor/two']),
    })
    fireEvent.click(await screen.findByRole('button', { name: '获取上游模型' }))
    expect(await screen.findByText('请填写密钥')).toBeTruthy()
    expect(sent('POST')).toEqual([])

    await fill('密钥', 'sk-a\n')
    fireEvent.click(screen.getByRole('button', { name: '获取上游模型' }))
    const picker = await dialogWith('选择模型')
    fireEvent.click(within(picker).getByRole('checkbox', { name: 'vendor/two' }))
    fireEvent.click(within(picker).getByRole('button', { name: '确定（1 个）' }))

    expect(sent('POST')[0]!.body).toMatchObject({ type: 1, key: 'sk-a' })
    const field = screen.getByLabelText('模型').closest<HTMLElement>('.ant-select')!
    expect(await within(field).findByText('vendor/two')).toBeTruthy()
  })
})

describe('editing a channel', () => {
  const channel = aChannel({ id: 7, name: 'harbour', openai_organization: 'org-1', setting: '{"proxy":"http://p"}' })
  const stored = { 'GET /api/channel/7': succeeded({ ...channel, key: 'sk-a••••aaa1\nsk-b••••bbb2' }) }

  it('shows the stored keys only on request, and keeps them unless they are replaced', async () => {
    const { sent, address } = open('drawer=edit&id=7', {
      ...stored,
      'PUT /api/channel': succeeded(channel),
      'POST /api/channel/7/reveal': succeeded({ key: 'sk-whole-1\nsk-whole-2', keys: ['sk-whole-1', 'sk-whole-2'] }),
    })
    const keys = await screen.findByLabelText<HTMLTextAreaElement>('已保存的密钥')
    expect(keys.value).toContain('sk-a••••aaa1')
    expect(sent('POST')).toEqual([])
    fireEvent.click(screen.getByRole('button', { name: '显示密钥' }))
    await waitFor(() => expect(keys.value).toBe('sk-whole-1\nsk-whole-2'))
    fireEvent.click(screen.getByRole('button', { name: '隐藏密钥' }))
    expect(keys.value).toContain('••••')
    await fill('名称', 'pier')

    fireEvent.click(screen.getByRole('button', { name: '保存' }))

    await waitFor(() => expect(address()).toBe('/admin/channels'))
    expect(sent('PUT')[0]!.body).toMatchObject({ id: 7, name: 'pier', key: '', openai_organization: 'org-1' })
  })

  it('shows the model mapping as rows, which can be added, removed and edited as JSON', async () => {
    const mapped = { ...channel, key: 'sk-a••••aaa1', model_mapping: '{"a":"x","b":"y"}' }
    const { sent } = open('drawer=edit&id=7', {
      'GET /api/channel/7': succeeded(mapped),
      'PUT /api/channel': succeeded(mapped),
    })
    expect((await screen.findByLabelText<HTMLInputElement>('上游模型 2')).value).toBe('y')
    fireEvent.click(screen.getByRole('button', { name: '删除映射 1' }))
    fireEvent.click(screen.getByText('添加映射'))
    await fill('请求的模型 2', 'c')
    await fill('上游模型 2', 'z')

    fireEvent.click(screen.getByRole('button', { name: '以 JSON 编辑' }))
    const json = screen.getByLabelText<HTMLTextAreaElement>('模型映射')
    expect(JSON.parse(json.value)).toEqual({ b: 'y', c: 'z' })
    fireEvent.change(json, { target: { value: '{"c":"w"}' } })
    fireEvent.click(screen.getByRole('button', { name: '按行编辑' }))
    expect(screen.getByLabelText<HTMLInputElement>('上游模型 1').value).toBe('w')
    fireEvent.click(screen.getByRole('button', { name: '保存' }))

    await waitFor(() => expect(sent('PUT')).toHaveLength(1))
    expect(JSON.parse((sent('PUT')[0]!.body as { model_mapping: string }).model_mapping)).toEqual({ c: 'w' })
  })

  it('offers to reload a channel that another administrator changed, and keeps entered values', async () => {
    let current = { channel: { ...channel, weight: 1 }, etag: '"one"' }
    const { sent, address } = open('drawer=edit&id=7', {
      ...stored,
      'GET /api/channel/7': () => succeeded(current.channel, { etag: current.etag }),
      'PUT /api/channel': ({ headers }) =>
        headers.get('if-match') === current.etag
          ? succeeded(current.channel)
          : refused('edit_conflict', '已被修改', 412),
    })
    await fill('名称', 'pier')
    current = { channel: { ...channel, weight: 9, name: 'quay' }, etag: '"two"' }
    fireEvent.click(screen.getByRole('button', { name: '保存' }))

    await screen.findByText(/其他管理员修改了该渠道/)
    fireEvent.click(screen.getByRole('button', { name: '重新加载' }))
    await waitFor(() => expect(screen.queryByText(/其他管理员修改了该渠道/)).toBeNull())
    expect(screen.getByLabelText('名称')).toHaveProperty('value', 'pier')
    fireEvent.click(screen.getByRole('button', { name: '保存' }))

    await waitFor(() => expect(address()).toBe('/admin/channels'))
    expect(sent('PUT').at(-1)!.body).toMatchObject({ id: 7, name: 'pier', weight: 9 })
  })

  it('asks for re-authentication before stored keys are sent to another base URL, then saves', async () => {
    rememberUser(aUser())
    let confirmed = false
    const { sent, address } = open('drawer=edit&id=7', {
      ...stored,
      'GET /api/user/security': succeeded(aSecurity()),
      'PUT /api/channel': () => (confirmed ? succeeded(channel) : refused('proof_required', '请先确认是您本人')),
      'POST /api/user/prove': () => {
        confirmed = true
        return succeeded({})
      },
    })
    await fill('接口地址', 'https://elsewhere.example')
    fireEvent.click(screen.getByRole('button', { name: '保存' }))

    await fill('密码', 'high-tide-77')
    fireEvent.click(screen.getByRole('button', { name: '确认' }))

    await waitFor(() => expect(address()).toBe('/admin/channels'))
    expect(sent('PUT').map(({ body }) => body)).toMatchObject([
      { id: 7, base_url: 'https://elsewhere.example', key: '' },
      { id: 7, base_url: 'https://elsewhere.example', key: '' },
    ])
  })

  it('adds a key to the masked ones', async () => {
    const { sent } = open('drawer=edit&id=7', { ...stored, 'PUT /api/channel': succeeded(channel) })
    fireEvent.click(await screen.findByRole('button', { name: '更换密钥' }))
    const field = await screen.findByLabelText<HTMLTextAreaElement>('密钥')
    fireEvent.change(field, { target: { value: `${field.value}\nsk-new` } })

    fireEvent.click(screen.getByRole('button', { name: '保存' }))

    await waitFor(() => expect(sent('PUT')).toHaveLength(1))
    expect(sent('PUT')[0]!.body).toMatchObject({ key: 'sk-a••••aaa1\nsk-b••••bbb2\nsk-new' })
  })

  it('shows how many collapsed advanced settings are set, and fetches models with the stored key', async () => {
    const { sent } = open('drawer=edit&id=7', { ...stored, 'GET /api/channel/fetch_models/7': succeeded(['x']) })
    expect((await screen.findByRole('button', { name: '高级设置' })).getAttribute('aria-expanded')).toBe('false')
    screen.getByText('已设置 2 项')

    fireEvent.click(screen.getByRole('button', { name: '获取上游模型' }))

    expect(within(await dialogWith('选择模型')).getByRole('checkbox', { name: 'x' })).toBeTruthy()
    expect(sent('POST')).toEqual([])
  })

  it('shows the fields of its provider, and updates them when the type changes', async () => {
    open('drawer=edit&id=7', {
      'GET /api/channel/7': succeeded({ ...aChannel({ id: 7, type: 18, other: 'v3.5' }), key: 'a|b|c' }),
    })

    expect((await screen.findByLabelText<HTMLInputElement>('星火大模型版本')).value).toBe('v3.5')
    expect(screen.queryByLabelText('组织')).toBeNull()

    fireEvent.mouseDown(screen.getByLabelText('类型'))
    fireEvent.click(await screen.findByText('Anthropic'))

    await waitFor(() => expect(screen.queryByLabelText('星火大模型版本')).toBeNull())
  })

  it('asks for the keys again if they cannot be read', async () => {
    open('drawer=edit&id=7', { 'GET /api/channel/7': succeeded({ ...channel, key: '' }) })

    within(await screen.findByRole('alert')).getByText('已保存的密钥无法读取')
    expect(screen.getByLabelText<HTMLInputElement>('密钥').value).toBe('')
    expect(screen.queryByRole('button', { name: '不更换，保留原密钥' })).toBeNull()
  })

  it('shows that the channel does not exist', async () => {
    open('drawer=edit&id=7', { 'GET /api/channel/7': refused('channel_not_found', '渠道不存在') })

    expect(await screen.findByText('渠道未找到，请刷新页面后重试。')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '保存' }).disabled).toBe(true)
  })
})
