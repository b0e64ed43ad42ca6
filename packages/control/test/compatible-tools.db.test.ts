import { api, USER_ID_HEADERS } from '@tidegate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, startTestSite, type TestSite } from './start-site.ts'

/**
 * Requests of public tools for related products, and the fields they read. docs/reference/compatible-tools.md lists the tools; each
 * block names its source.
 */
let site: TestSite
let root: Awaited<ReturnType<TestSite['signedIn']>>
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
  const options = { CheckInEnabled: 'true', CheckInQuota: '1000' }
  for (const [key, value] of Object.entries(options)) await root.call(api.updateOption, { body: { key, value } })
})
afterAll(() => site.close())

/** The user id and system access token that a user enters in a tool. */
async function accountOf(role: 'user' | 'admin' | 'root') {
  const client = role === 'root' ? root : await site.signedIn(role)
  return { id: client.userId!, token: await client.call(api.createAccessToken), username: client.username }
}

interface ToolResponse {
  success: boolean
  message: string
  code?: string
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tools read fields without types
  data: any
}

function toolWith(headers: Record<string, string>) {
  return async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object | string) => {
    const response = await site.app.inject({
      method,
      url,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.statusCode, cookies: response.cookies, ...response.json<ToolResponse>() }
  }
}

/** github.com/qixing-jk/all-api-hub: one id under the header names of all products, with the token as a bearer. */
describe('All API Hub', () => {
  const signIn = async (role: 'user' | 'admin') => {
    const { id, token, username } = await accountOf(role)
    const names = ['New-API-User', 'Veloera-User', 'voapi-user', 'User-id', 'Rix-Api-User', 'neo-api-user']
    const headers = Object.fromEntries(names.map((name) => [name, String(id)]))
    return { send: toolWith({ ...headers, authorization: `Bearer ${token}`, pragma: 'no-cache' }), id, username }
  }

  it('adds an account and shows balance, usage and models', async () => {
    const { send, id, username } = await signIn('user')

    expect((await send('GET', '/api/status')).data).toMatchObject({
      system_name: expect.any(String),
      price: expect.any(Number),
      quota_per_unit: 500_000,
      check_in_enabled: true,
      checkin_enabled: true,
    })
    expect((await send('GET', '/api/user/self')).data).toMatchObject({ id, username, quota: expect.any(Number) })
    const day = 'token_name=&model_name=&start_timestamp=1&end_timestamp=2000000000&group='
    expect((await send('GET', `/api/log/self?p=1&page_size=100&type=2&${day}`)).data).toMatchObject({
      items: [],
      total: 0,
    })
    expect((await send('GET', `/api/log/self/stat?type=2&${day}`)).data).toMatchObject({ quota: 0 })
    expect((await send('GET', '/api/user/models')).data).toEqual(expect.any(Array))
    expect((await send('GET', '/api/user/self/groups')).data).toMatchObject({
      default: { desc: expect.any(String), ratio: 1 },
    })
    expect(await send('GET', '/api/pricing')).toMatchObject({
      success: true,
      data: expect.any(Array),
      group_ratio: expect.any(Object),
      usable_group: expect.any(Object),
    })
  })

  it('manages the tokens of an account', async () => {
    const { send } = await signIn('user')
    const fields = {
      name: 'hub',
      remain_quota: 0,
      expired_time: -1,
      unlimited_quota: true,
      model_limits_enabled: false,
    }

    expect(await send('POST', '/api/token/', { ...fields, model_limits: '', allow_ips: '', group: '' })).toMatchObject({
      success: true,
    })
    const [token] = (await send('GET', '/api/token/?p=0&size=100')).data
    expect(token).toMatchObject({ id: expect.any(Number), key: expect.any(String), name: 'hub', status: 1 })
    expect(await send('PUT', '/api/token/', { ...fields, id: token.id, name: 'hub 2' })).toMatchObject({
      success: true,
    })
    expect((await send('GET', `/api/token/${token.id}`)).data).toMatchObject({ name: 'hub 2' })
    expect(await send('DELETE', `/api/token/${token.id}`)).toMatchObject({ success: true })
  })

  it('checks in once a day', async () => {
    const { send } = await signIn('user')

    expect((await send('GET', '/api/user/check_in_status')).data).toMatchObject({ can_check_in: true })
    expect(await send('POST', '/api/user/check_in')).toMatchObject({ success: true })
    expect((await send('GET', '/api/user/check_in_status')).data).toMatchObject({ can_check_in: false })
    expect(await send('POST', '/api/user/check_in')).toMatchObject({
      success: false,
      message: expect.stringContaining('已签到'),
    })
  })

  it('manages channels in the Veloera format', async () => {
    const { send } = await signIn('admin')
    const channel = { name: 'hub', type: 1, key: 'sk-hub', base_url: 'https://up.example', models: 'gpt-4o' }

    expect(
      await send('POST', '/api/channel', { mode: 'single', channel: { ...channel, group: 'default' } }),
    ).toMatchObject({ success: true })
    const [made] = (await send('GET', '/api/channel/?p=0&page_size=100')).data
    expect(made).toMatchObject({ name: 'hub', models: 'gpt-4o', status: 1, group: 'default' })
    expect((await send('GET', '/api/channel/search?keyword=hub')).data).toMatchObject([{ id: made.id }])
    expect(await send('PUT', '/api/channel', { id: made.id, models: 'gpt-4o,gpt-4.1' })).toMatchObject({
      success: true,
    })
    expect((await send('GET', `/api/channel/${made.id}`)).data).toMatchObject({ models: 'gpt-4o,gpt-4.1' })
    expect((await send('GET', '/api/group')).data).toContain('default')
    expect(await send('DELETE', `/api/channel/${made.id}`)).toMatchObject({ success: true })
  })
})

/** github.com/unorouter/new-api-sync: copies groups, prices and channels from one site to another. */
describe('new-api-sync', () => {
  it('reads a site', async () => {
    const { id, token } = await accountOf('user')
    const send = toolWith({ authorization: `Bearer ${token}`, 'new-api-user': String(id) })
    for (let at = 0; at < 12; at += 1) {
      const fields = { group: '', expired_time: -1, unlimited_quota: true, model_limits_enabled: false }
      expect(await send('POST', '/api/token/', { name: `sync ${at}`, ...fields })).toMatchObject({ success: true })
    }

    expect((await send('GET', '/api/user/self')).data).toMatchObject({ quota: 0, used_quota: 0 })
    expect((await send('GET', '/api/token/?p=0&page_size=100')).data).toHaveLength(12)
  })

  it('writes options and channels', async () => {
    const { id, token } = await accountOf('root')
    const send = toolWith({ authorization: `Bearer ${token}`, 'New-Api-User': String(id) })
    const channel = { name: 'sync', type: 1, key: 'sk-sync', base_url: 'https://up.example', models: 'gpt-4o' }
    const rest = { group: 'default', priority: 0, weight: 1, status: 1, tag: 'sync', remark: 'kept by the tool' }

    expect(await send('PUT', '/api/option/', { key: 'ModelRatio', value: '{"gpt-4o":1.5}' })).toMatchObject({
      success: true,
    })
    const made = await send('POST', '/api/channel/', { mode: 'single', channel: { ...channel, ...rest } })
    expect(made).toMatchObject({ status: 200, success: true, data: { id: expect.any(Number), name: 'sync' } })
    expect((await send('GET', '/api/channel/?p=0&page_size=100')).data).toMatchObject([{ name: 'sync', tag: 'sync' }])
    expect(await send('PUT', '/api/channel/', { ...channel, ...rest, id: made.data.id, weight: 5 })).toMatchObject({
      success: true,
    })
    expect(await send('DELETE', `/api/channel/${made.data.id}`)).toMatchObject({ success: true })
  })
})

/** github.com/MisonL/newapi-ai-check-in and its relatives: a login or a cookie, then the daily check-in. */
describe('newapi-ai-check-in', () => {
  it('logs in and checks in once a day', async () => {
    const { username } = await accountOf('user')
    const login = await toolWith({})('POST', '/api/user/login', { username, password: PASSWORD })
    expect(login).toMatchObject({ success: true, data: { id: expect.any(Number), username } })
    const cookie = login.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const send = toolWith({ cookie, 'New-Api-User': String(login.data.id) })

    const status = () => send('GET', '/api/user/checkin?month=2026-11')
    expect((await status()).data).toEqual({ enabled: true, stats: { checked_in_today: false } })
    expect(await send('POST', '/api/user/checkin')).toMatchObject({ success: true, data: { quota_awarded: 1000 } })
    expect((await status()).data.stats).toEqual({ checked_in_today: true })
    expect(await send('POST', '/api/user/checkin')).toMatchObject({
      success: false,
      message: expect.stringContaining('今日已签到'),
    })
  })
})

describe('the user id header', () => {
  it('is accepted under every known name', async () => {
    const { id, token } = await accountOf('user')
    for (const name of USER_ID_HEADERS) {
      const send = toolWith({ authorization: token, [name]: String(id) })
      expect(await send('GET', '/api/user/self')).toMatchObject({ success: true, data: { id } })
      const other = toolWith({ authorization: token, [name]: String(id + 1) })
      expect(await other('GET', '/api/user/self')).toMatchObject({ status: 401, code: 'user_id_header_mismatch' })
    }
  })

  it('is rejected when two headers name different users', async () => {
    const { id, token } = await accountOf('user')
    const send = toolWith({ authorization: token, 'veloera-user': String(id), 'new-api-user': String(id + 1) })

    expect(await send('GET', '/api/user/self')).toMatchObject({ status: 401, code: 'user_id_header_conflict' })
  })

  it('uses our own header when a proxy adds User-Id', async () => {
    const { id, token } = await accountOf('user')
    const send = toolWith({ authorization: token, 'tidegate-user': String(id), 'user-id': 'alice' })

    expect(await send('GET', '/api/user/self')).toMatchObject({ status: 200 })
  })
})
