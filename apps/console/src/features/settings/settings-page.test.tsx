import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refused, succeeded } from '../../../test/fake-server.ts'
import { aSecurity, aUser } from '../../../test/samples.ts'
import { openSettings, press, write } from '../../../test/settings-screen.tsx'
import { PriceOptions } from './price-options.tsx'

const LIMITS = '?tab=ratelimit'
const SYSTEM = '?tab=system'
const save = () => press('保存')
const limit = () => screen.findByLabelText('周期内最多请求次数')

/** May change groups but not prices, so the groups have a form in the settings. */
const openAsGroupsAdministrator = (routes: NonNullable<Parameters<typeof openSettings>[0]>['routes'] = {}) =>
  openSettings({
    role: 10,
    routes: { 'GET /api/user/self': succeeded(aUser({ role: 10, settings_areas: ['groups'] })), ...routes },
  })

describe('a section', () => {
  it('sends one request per changed option', async () => {
    const { saved } = openSettings({ at: LIMITS })
    fireEvent.change(await limit(), { target: { value: '60' } })
    fireEvent.click(screen.getByRole('switch', { name: '启用用户请求速率限制' }))
    await screen.findByText('2 项未保存')

    save()

    await screen.findByText('保存成功')
    expect(saved()).toEqual([
      { key: 'ModelRequestRateLimitEnabled', value: 'false' },
      { key: 'ModelRequestRateLimitCount', value: '60' },
    ])
    await waitFor(() => expect(screen.queryByText('2 项未保存')).toBeNull())
  })

  it('shows a quota as money and saves the quota', async () => {
    const { saved } = openSettings()
    const amount = await screen.findByLabelText<HTMLInputElement>('新用户初始额度')
    expect(amount.value).toBe('0')

    fireEvent.change(amount, { target: { value: '2.5' } })
    save()

    await screen.findByText('保存成功')
    expect(saved()).toEqual([{ key: 'QuotaForNewUser', value: '1250000' }])
  })

  it('disables the fields of a limit that is off', async () => {
    openSettings({ at: LIMITS })
    expect(await limit()).toHaveProperty('disabled', false)

    fireEvent.click(screen.getByRole('switch', { name: '启用用户请求速率限制' }))

    await waitFor(() => expect(screen.getByLabelText('周期内最多请求次数')).toHaveProperty('disabled', true))
  })

  it('edits chat links as a list, or as JSON', async () => {
    const { saved } = openSettings()
    const links = within(await screen.findByRole('list', { name: '聊天链接' }))

    fireEvent.click(screen.getByRole('button', { name: '添加链接' }))
    fireEvent.change(links.getByLabelText('链接 2 的名称'), { target: { value: 'Pier' } })
    fireEvent.change(links.getByLabelText('链接 2 的地址'), { target: { value: 'https://pier.example/' } })
    fireEvent.click(links.getByRole('button', { name: '上移 Pier' }))
    save()

    await screen.findByText('保存成功')
    const value = '[{"Pier":"https://pier.example/"},{"Harbour":"https://chat.example/?k={key}"}]'
    expect(saved()).toEqual([{ key: 'Chats', value }])
    fireEvent.click(screen.getByRole('button', { name: '以 JSON 编辑' }))
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: '聊天链接' }).value).toContain('pier.example')
  })

  it('shows fallback prices in dollars and saves ratios', async () => {
    const { saved } = openSettings({ page: () => <PriceOptions panel="fallback" onUnsaved={() => {}} /> })
    const price = await screen.findByLabelText<HTMLInputElement>('兜底输出价格')
    expect(price.value).toBe('10')

    fireEvent.change(price, { target: { value: '5' } })
    fireEvent.blur(price)
    save()

    await screen.findByText('保存成功')
    expect(saved()).toEqual([{ key: 'fallback_completion_ratio', value: '2' }])
  })

  it('links to its documentation, can be saved only if something has changed, and discards changes', async () => {
    openSettings({ at: LIMITS })
    const button = () => screen.queryByRole('button', { name: '保存' })
    const field = await limit()
    const link = screen.getByRole('link', { name: '模型请求速率限制的帮助' })
    expect(link.getAttribute('href')).toBe('/docs/zh/concepts/rate-limits#available-limits')
    expect(button()).toBeNull()

    fireEvent.change(field, { target: { value: '60' } })
    expect(button()).toBeTruthy()
    fireEvent.change(field, { target: { value: '0' } })
    expect(button()).toBeNull()
    fireEvent.change(field, { target: { value: '60' } })
    fireEvent.click(await screen.findByRole('button', { name: '撤销修改' }))

    await waitFor(() => expect(screen.getByLabelText('周期内最多请求次数')).toHaveProperty('value', '0'))
    expect(screen.queryByRole('button', { name: '撤销修改' })).toBeNull()
  })

  it('shows an error of the server at the field and saves the other options', async () => {
    const routes = {
      'PUT /api/option': ({ body }: { body: unknown }) =>
        (body as { key: string }).key === 'ModelRequestRateLimitCount'
          ? refused('option_invalid', '这个数不行')
          : succeeded(),
    }
    const { saved } = openSettings({ at: LIMITS, routes })
    fireEvent.change(await limit(), { target: { value: '60' } })
    write('限制周期', '5')

    save()

    await screen.findByText('部分保存失败，请重试')
    await screen.findByText('这个数不行')
    expect(saved()).toHaveLength(2)
    expect(await limit()).toHaveProperty('value', '60')
    await screen.findByText('1 项未保存')
  })

  it('replaces option keys in an error by their labels', async () => {
    const error = refused('option_guard_needs', '开启 PasswordLoginEnabled 之前请先填写：oidc.well_known, SMTPToken')
    openSettings({ at: LIMITS, routes: { 'PUT /api/option': error } })
    fireEvent.change(await limit(), { target: { value: '60' } })

    save()

    await screen.findByText('开启 允许密码登录 之前请先填写：发现文档地址, SMTP 密码')
    await screen.findByText('保存失败，请重试')
  })

  it('shows changes of another administrator without counting them as unsaved', async () => {
    const row = (key: string, value: string) => ({ key, value })
    let reads = 0
    const routes = {
      'GET /api/option': () => {
        reads += 1
        const minutes = reads === 1 ? '1' : '9'
        return succeeded([
          row('ModelRequestRateLimitEnabled', 'true'),
          row('ModelRequestRateLimitDurationMinutes', minutes),
          row('ModelRequestRateLimitCount', '0'),
          row('ModelRequestRateLimitSuccessCount', '1000'),
        ])
      },
      'PUT /api/option': refused('option_invalid', '这个数不行'),
    }
    openSettings({ at: LIMITS, routes })
    fireEvent.change(await limit(), { target: { value: '60' } })
    write('周期内最多成功次数', '5')

    save()

    await waitFor(() => expect(screen.getByLabelText('限制周期')).toHaveProperty('value', '9'))
    expect(await limit()).toHaveProperty('value', '60')
    await screen.findByText('2 项未保存')
  })

  it('reloads a conflicting change of another administrator and keeps the entered value', async () => {
    let value = '180'
    const routes = {
      'GET /api/option': () =>
        succeeded([
          { key: 'ModelRequestRateLimitCount', value, etag: `"${value}"` },
          { key: 'ModelRequestRateLimitEnabled', value: 'true', etag: '"e"' },
          { key: 'ModelRequestRateLimitDurationMinutes', value: '1', etag: '"d"' },
          { key: 'ModelRequestRateLimitSuccessCount', value: '1000', etag: '"s"' },
        ]),
      'PUT /api/option': ({ headers, body }: { headers: Headers; body: unknown }) => {
        if (headers.get('if-match') !== `"${value}"`) return refused('edit_conflict', '已被修改', 412)
        value = (body as { value: string }).value
        return succeeded(undefined, { etag: `"${value}"` })
      },
    }
    openSettings({ at: LIMITS, routes })
    fireEvent.change(await limit(), { target: { value: '60' } })
    value = '90' // another administrator saves
    save()

    await screen.findByText(/其他管理员修改了：周期内最多请求次数/)
    press('重新加载')
    await screen.findByText('当前值：90')
    expect(await limit()).toHaveProperty('value', '60')
    expect(screen.queryByText(/其他管理员修改了/)).toBeNull()
    save()
    await screen.findByText('保存成功')
    expect(value).toBe('60')

    fireEvent.change(await limit(), { target: { value: '61' } })
    save()
    await waitFor(() => expect(value).toBe('61'))
  })

  it('validates limits before saving', async () => {
    const { saved } = openSettings({ at: LIMITS })
    await limit()

    write('周期内最多成功次数', '0')
    save()

    await screen.findByText('不能小于 1')
    await screen.findByText('请检查输入')
    expect(saved()).toEqual([])
  })
})

describe('JSON', () => {
  const ratios = () => screen.findByLabelText('分组倍率')

  it('is formatted, validated and saved without whitespace', async () => {
    const { saved } = openAsGroupsAdministrator()
    fireEvent.change(await ratios(), { target: { value: '{"default": 1' } })
    save()
    await screen.findByText('不是合法的 JSON 字符串')
    expect(saved()).toEqual([])

    fireEvent.change(await ratios(), { target: { value: '{"default": 1, "vip": 2}' } })
    press('格式化分组倍率')
    expect(await ratios()).toHaveProperty('value', '{\n  "default": 1,\n  "vip": 2\n}')
    save()

    await screen.findByText('保存成功')
    expect(saved()).toEqual([{ key: 'GroupRatio', value: '{"default":1,"vip":2}' }])
  })

  it('is reset to its default after a confirmation', async () => {
    openAsGroupsAdministrator()
    await ratios()

    press('恢复默认：分组倍率')
    fireEvent.click(await screen.findByRole('button', { name: '恢复默认' }))

    await waitFor(async () => expect(await ratios()).toHaveProperty('value', '{\n  "default": 1,\n  "vip": 1\n}'))
  })
})

it('simulates unsaved group ratios on the page of prices and groups', async () => {
  const simulation = { from: 0, to: 0, billed: 0, before: 0, after: 0, rows: [] }
  const others = { rows: 0, billed: 0, before: 0, after: 0 }
  const { seen } = openSettings({
    routes: { 'POST /api/option/simulate_prices': succeeded({ ...simulation, others }) },
    page: () => <PriceOptions panel="json" onUnsaved={() => {}} />,
  })
  const ratios = await screen.findByLabelText('分组倍率')
  const button = within(screen.getByRole('region', { name: '分组' })).getByRole('button', { name: '试算近 7 天' })
  fireEvent.click(button)
  await screen.findByText('没有需要保存的修改')

  fireEvent.change(ratios, { target: { value: '{"default":2}' } })
  fireEvent.click(button)

  await within(await screen.findByRole('dialog')).findByText('近 7 天没有调用')
  expect(seen.find(({ path }) => path === '/api/option/simulate_prices')?.body).toEqual({
    changes: [{ key: 'GroupRatio', value: '{"default":2}' }],
  })
})

it.each([
  ['价格与分组 › 模型', '/admin/prices'],
  ['价格与分组 › 分组', '/admin/prices?tab=groups'],
  ['价格与分组 › 兜底价格', '/admin/prices?panel=fallback'],
])('links to the place on the prices page: %s', async (name, path) => {
  const { address } = openSettings()

  fireEvent.click(await screen.findByRole('button', { name }))

  expect(address()).toBe(path)
  expect(screen.queryByLabelText('分组倍率')).toBeNull()
})

it('asks once for re-authentication and then saves the whole section', async () => {
  let confirmed = false
  const { saved, seen } = openSettings({
    at: SYSTEM,
    routes: {
      'GET /api/user/security': succeeded(aSecurity()),
      'PUT /api/option': () => (confirmed ? succeeded() : refused('proof_required', '请先确认是你本人')),
      'POST /api/user/prove': () => {
        confirmed = true
        return succeeded({})
      },
    },
  })
  fireEvent.click(await screen.findByRole('button', { name: '更换SMTP 密码' }))
  write(/^SMTP 密码/, 'hush')
  write('SMTP 服务器', 'mail.example')
  save()

  within(await screen.findByRole('dialog')).getByText('确认身份')
  await screen.findByLabelText('密码')
  write('密码', 'high-tide-77')
  press('确认')

  await screen.findByText('保存成功')
  expect(saved().slice(-2)).toEqual([
    { key: 'SMTPServer', value: 'mail.example' },
    { key: 'SMTPToken', value: 'hush' },
  ])
  expect(seen.filter(({ path }) => path === '/api/user/prove')).toHaveLength(1)
})

describe('a secret', () => {
  it('is replaced without being shown, and cleared', async () => {
    const { saved } = openSettings({ at: SYSTEM })
    fireEvent.click(await screen.findByRole('button', { name: '更换SMTP 密码' }))
    write(/^SMTP 密码/, 'hush')
    save()
    await screen.findByText('保存成功')
    await screen.findByRole('button', { name: '更换SMTP 密码' })

    fireEvent.click(await screen.findByRole('button', { name: '清除SMTP 密码' }))
    await screen.findByText('保存后清除')
    save()

    await waitFor(() => expect(saved()).toHaveLength(2))
    expect(saved()).toEqual([
      { key: 'SMTPToken', value: 'hush' },
      { key: 'SMTPToken', value: '' },
    ])
  })
})

describe('disabling password login', () => {
  const disable = async () => {
    const { saved } = openSettings({ at: SYSTEM })
    fireEvent.click(await screen.findByRole('switch', { name: '允许密码登录' }))
    save()
    const dialog = within(await screen.findByRole('dialog'))
    return { saved, choose: (name: string) => fireEvent.click(dialog.getByRole('button', { name })) }
  }

  it('needs a confirmation', async () => {
    const { saved, choose } = await disable()

    choose('修改')

    await screen.findByText('保存成功')
    expect(saved()).toEqual([{ key: 'PasswordLoginEnabled', value: 'false' }])
  })

  it('restores the switch when cancelled', async () => {
    const { saved, choose } = await disable()

    choose('取消')

    await waitFor(() =>
      expect(screen.getByRole('switch', { name: '允许密码登录' }).getAttribute('aria-checked')).toBe('true'),
    )
    await waitFor(() => expect(screen.queryByText('1 项未保存')).toBeNull())
    expect(saved()).toEqual([])
  })
})

describe('leaving a tab', () => {
  it('asks for confirmation if there are unsaved changes', async () => {
    const { address } = openSettings({ at: LIMITS })
    fireEvent.change(await limit(), { target: { value: '60' } })
    await screen.findByText('1 项未保存')

    fireEvent.click(screen.getByRole('tab', { name: '系统' }))
    const dialog = await screen.findByRole('dialog')
    expect(address()).toBe('/admin/settings?tab=ratelimit')
    fireEvent.click(within(dialog).getByRole('button', { name: '放弃修改' }))

    await screen.findByLabelText('SMTP 服务器')
    expect(address()).toBe('/admin/settings?tab=system')
  })
})

describe('the test mail', () => {
  const TEST = 'POST /api/option/test_mail'

  it('shows the response of the mail server', async () => {
    const { seen } = openSettings({
      at: SYSTEM,
      routes: { [TEST]: succeeded({ sent: false, problem: '535 wrong password' }) },
    })
    fireEvent.change(await screen.findByLabelText('收件人'), { target: { value: ' admin@reef.example ' } })

    press('发送测试邮件')

    await screen.findByText('邮件服务器没有接受：535 wrong password')
    expect(seen.find(({ path }) => path === '/api/option/test_mail')?.body).toEqual({ to: 'admin@reef.example' })
  })
})

it('fills in the endpoints of the discovery document', async () => {
  const found = {
    authorization_endpoint: 'https://id.example/authorize',
    token_endpoint: 'https://id.example/token',
    user_info_endpoint: 'https://id.example/me',
  }
  const { saved } = openSettings({ at: SYSTEM, routes: { 'POST /api/option/oidc_discovery': succeeded(found) } })
  fireEvent.change(await screen.findByLabelText('发现文档地址'), { target: { value: 'https://id.example/known' } })

  fireEvent.click(await screen.findByRole('button', { name: '读取地址' }))
  await screen.findByText('已填入三个地址，保存后生效')
  expect(screen.getByLabelText('令牌地址')).toHaveProperty('value', 'https://id.example/token')
  save()

  await screen.findByText('保存成功')
  expect(saved()).toHaveLength(4)
})

it('deletes old logs after a confirmation', async () => {
  const { seen } = openSettings({ routes: { 'DELETE /api/log': succeeded(42) } })
  await screen.findByLabelText('新用户初始额度')

  press('清理日志')
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('永久删除')
  fireEvent.click(within(dialog).getByRole('button', { name: '清理日志' }))

  await screen.findByText('已删除 42 条日志')
  const until = Number(seen.find(({ method }) => method === 'DELETE')?.query.target_timestamp)
  const age = Date.now() / 1000 - until
  expect(age).toBeGreaterThan(27 * 86_400)
  expect(age).toBeLessThan(33 * 86_400)
})

describe('an administrator who is not the super admin', () => {
  it('sees the virtual models and the site information', async () => {
    const { seen } = openSettings({ role: 10, routes: { 'GET /api/user/self': succeeded(aUser({ role: 10 })) } })

    await screen.findByText('只有超级管理员可以修改站点设置')
    screen.getByText('virtual models editor')
    screen.getByText('0.1.0')
    expect(screen.queryByRole('tab')).toBeNull()
    expect(seen.map(({ path }) => path)).toEqual(['/api/user/self'])
  })

  it('sees and saves only the sections of granted areas', async () => {
    const settings_areas = ['rate_limits']
    const { saved } = openSettings({
      role: 10,
      routes: { 'GET /api/user/self': succeeded(aUser({ role: 10, settings_areas })) },
    })
    fireEvent.change(await limit(), { target: { value: '60' } })

    screen.getByText('virtual models editor')
    expect(screen.queryByRole('tab')).toBeNull()
    expect(screen.queryByText('分组倍率')).toBeNull()
    expect(screen.queryByRole('button', { name: '修改历史' })).toBeNull()
    save()

    await screen.findByText('保存成功')
    expect(saved()).toEqual([{ key: 'ModelRequestRateLimitCount', value: '60' }])
  })
})

it('shows an error if the options cannot be loaded, and retries', async () => {
  let isDown = true
  const routes = {
    'GET /api/option': () => (isDown ? refused('internal_error', '', 500) : succeeded([])),
  }
  openSettings({ at: LIMITS, routes })
  await screen.findByText('加载失败')

  isDown = false
  press('重试')

  await limit()
})
