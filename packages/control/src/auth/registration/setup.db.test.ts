import { api } from '@tidegate/contract'
import { apiClient } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../../test/start-site.ts'
import { setupCode } from './setup.ts'

let site: TestSite
beforeEach(async () => {
  site = await startTestSite()
})
afterEach(() => site.close())

const submission = {
  username: 'operator',
  password: 'spring-tide-42',
  confirmPassword: 'spring-tide-42',
  SelfUseModeEnabled: false,
  DemoSiteEnabled: false,
}

describe('setup', () => {
  it('reports the super admin and the database before and after', async () => {
    const client = apiClient(site.url)
    const before = await client.call(api.getSetup)

    await client.call(api.submitSetup, { body: submission })

    expect(before).toEqual({ status: false, root_init: false, database_type: 'postgres', code_required: false })
    expect(await client.call(api.getSetup)).toEqual({
      status: true,
      root_init: true,
      database_type: 'postgres',
      code_required: false,
    })
    expect((await client.call(api.getStatus)).setup).toBe(true)
  })

  it('creates the super admin with a balance in the ledger', async () => {
    const client = apiClient(site.url)
    await client.call(api.submitSetup, { body: { ...submission, username: '  operator ', SelfUseModeEnabled: true } })
    await client.login('operator', 'spring-tide-42')

    const self = await client.call(api.getSelf)
    const entries = await site.db.selectFrom('ledger_entry').select(['user_id', 'kind', 'amount']).execute()

    expect(self).toMatchObject({ username: 'operator', display_name: 'Root User', role: 100, quota: 100_000_000 })
    expect(self.aff_code).toMatch(/^[2-9A-Z]{8}$/)
    expect(entries).toEqual([{ user_id: self.id, kind: 'setup_grant', amount: 100_000_000 }])
    expect(await client.call(api.getStatus)).toMatchObject({ self_use_mode_enabled: true, demo_site_enabled: false })
  })

  it('stores address and language, with English default texts', async () => {
    const client = apiClient(site.url)
    await client.call(api.submitSetup, {
      body: { ...submission, ServerAddress: 'https://gate.example/', language: 'en' },
    })
    const status = await client.call(api.getStatus)
    await client.login('operator', 'spring-tide-42')

    expect(status.server_address).toBe('https://gate.example')
    expect(status.chats.flatMap((chat) => Object.keys(chat))).toEqual(['NextChat', 'AMA', 'OpenCat'])
    expect([status.chat_link, status.chat_link2]).toEqual(
      status.chats.slice(0, 2).flatMap((chat) => Object.values(chat)),
    )
    expect(await client.call(api.listOwnGroups)).toMatchObject({ default: { desc: 'Default group' } })
    const error = await site.app.inject({ url: '/api/user/self' })
    const chinese = await site.app.inject({ url: '/api/user/self', headers: { 'accept-language': 'zh-CN' } })
    expect(error.json().message).toMatch(/^[\x20-\x7e]+$/)
    expect(chinese.json().message).not.toMatch(/^[\x20-\x7e]+$/)
  })

  it('creates one super admin for two concurrent submissions', async () => {
    const rivals = Array.from({ length: 12 }, (_, index) =>
      apiClient(site.url).send(api.submitSetup, { body: { ...submission, username: `rival${index}` } }),
    )

    const responses = await Promise.all(rivals)

    expect(responses.filter(({ envelope }) => envelope.success)).toHaveLength(1)
    expect(responses.filter(({ envelope }) => !envelope.success && envelope.code === 'setup_done')).toHaveLength(11)
    expect(await site.db.selectFrom('user').select('role').execute()).toEqual([{ role: 100 }])
  })

  it.each([
    [{ username: '   ' }, '请输入管理员用户名'],
    [{ username: 'thirteen chars' }, '用户名最长 12 个字符，且不能包含控制字符或 @'],
    [{ username: 'a@b.example' }, '用户名最长 12 个字符，且不能包含控制字符或 @'],
    [{ confirmPassword: 'something else' }, '两次输入的密码不一致'],
    [{ password: 'seven77', confirmPassword: 'seven77' }, '密码长度至少为8个字符'],
    [{ ServerAddress: 'gate.example' }, '服务器地址必须以 http:// 或 https:// 开头，例如 https://gate.example.com'],
    [{ SelfUseModeEnabled: true, DemoSiteEnabled: true }, '自用模式与演示站点不能同时开启'],
  ])('rejects %o', async (change, message) => {
    const { response, envelope } = await apiClient(site.url).send(api.submitSetup, {
      body: { ...submission, ...change },
    })

    expect(response.status).toBe(200)
    expect(envelope).toMatchObject({ success: false, message })
    expect(await site.db.selectFrom('user').select('id').execute()).toEqual([])
  })

  it('keeps an imported super admin and stores the modes', async () => {
    await site.db
      .insertInto('user')
      .values({ username: 'imported', display_name: 'x', role: 100, aff_code: 'x' })
      .execute()
    const client = apiClient(site.url)
    const before = await client.call(api.getSetup)

    await client.call(api.submitSetup, { body: { ...submission, username: 'alex', DemoSiteEnabled: true } })

    expect(before.root_init).toBe(true)
    expect(await site.db.selectFrom('user').select('username').execute()).toEqual([{ username: 'imported' }])
    expect((await client.call(api.getStatus)).demo_site_enabled).toBe(true)
  })

  it('requires the code from public addresses', async () => {
    const submit = (extra: object) =>
      site.app.inject({
        method: 'POST',
        url: '/api/setup',
        remoteAddress: '203.0.113.7',
        payload: { ...submission, ...extra },
      })

    expect((await submit({})).json()).toMatchObject({ code: 'setup_code_required' })
    expect((await submit({ setup_code: 'guess-guess-' })).json()).toMatchObject({ code: 'setup_code_required' })
    expect((await submit({ setup_code: setupCode(site.deps.vault) })).json()).toMatchObject({ success: true })
  })

  it('requires the code behind an unknown proxy', async () => {
    const result = await site.app.inject({
      method: 'POST',
      url: '/api/setup',
      remoteAddress: '127.0.0.1',
      headers: { 'x-forwarded-for': '203.0.113.7' },
      payload: submission,
    })

    expect(result.json()).toMatchObject({ code: 'setup_code_required' })
  })

  it('rejects logins before setup', async () => {
    await expect(apiClient(site.url).login('operator', 'spring-tide-42')).rejects.toMatchObject({
      code: 'setup_required',
    })
  })
})
