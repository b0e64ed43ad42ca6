import { api, type ProbeResult } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../../test/start-site.ts'
import type { ProbeRequest } from '../../deps.ts'

const KEY = 'sk-unsaved-0123456789'
let site: TestSite
let admin: ApiClient
let probes: ProbeRequest[]
let result: ProbeResult
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
})
afterAll(() => site.close())
beforeEach(() => {
  probes = []
  result = { ok: true, message: '', milliseconds: 1234.4 }
  site.deps.probe = async (request) => {
    probes.push(request)
    return result
  }
})

const test = async (body: object = {}, client = admin) =>
  (await client.send(api.testUnsavedChannel, { body: { key: KEY, base_url: 'http://127.0.0.1:9', ...body } })).envelope

describe('testing a channel that is not saved', () => {
  it('sends the values of the form and stores nothing', async () => {
    const body = {
      type: 14,
      base_url: 'http://127.0.0.1:9/',
      models: 'claude-a,claude-b',
      model_mapping: '{"claude-a":"mapped"}',
      setting: '{"proxy":"http://127.0.0.1:8"}',
      header_override: '{"x-team":"blue"}',
      system_prompt: 'Be brief.',
      stream: true,
    }

    expect(await test(body)).toEqual({ success: true, message: '', time: 1.234, model: 'claude-a' })

    expect(probes).toMatchObject([
      {
        model: 'claude-a',
        stream: true,
        unsaved: {
          id: 0,
          type: 14,
          enabled: true,
          keys: [KEY],
          baseUrl: 'http://127.0.0.1:9',
          setting: { proxy: 'http://127.0.0.1:8' },
          systemPrompt: 'Be brief.',
          unreadable: [],
        },
      },
    ])
    const { unsaved } = probes[0]!
    expect([...unsaved!.modelMapping]).toEqual([['claude-a', 'mapped']])
    expect([...unsaved!.headerOverride]).toEqual([['x-team', 'blue']])
    expect(await site.db.selectFrom('channel').selectAll().execute()).toEqual([])
    expect(await site.db.selectFrom('usage_log').selectAll().execute()).toEqual([])
  })

  it.each([
    ['the requested model', { model: ' c ', test_model: 'b', models: 'a' }, 'c'],
    ['the test model of the form', { test_model: 'b', models: 'a' }, 'b'],
    ['the first model', { models: 'a,b' }, 'a'],
    ['a common model', {}, 'gpt-4o-mini'],
  ])('uses %s', async (_case, body, model) => {
    await test(body)

    expect(probes).toMatchObject([{ model, stream: false }])
  })

  it('uses the first of several keys', async () => {
    await test({ key: `${KEY}\nsk-second` })

    expect(probes[0]!.unsaved!.keys).toEqual([KEY])
  })

  it('returns the error of the provider without the key', async () => {
    result = { ok: false, message: `Incorrect API key provided: ${KEY}`, milliseconds: 50, status: 401 }

    expect(await test()).toEqual({
      success: false,
      code: 'channel_test_failed',
      status: 401,
      message: 'Incorrect API key provided: sk-u••••6789',
      time: 0.05,
      model: 'gpt-4o-mini',
    })
  })

  it('treats a throwing probe as a failed test', async () => {
    site.deps.probe = () => Promise.reject(new Error(`secret ${KEY}`))

    expect(await test()).toMatchObject({ success: false, message: '渠道测试未通过' })
    expect(JSON.stringify(site.problems)).not.toContain(KEY)
  })

  it.each([
    ['channel_key_required', { key: '' }],
    ['channel_key_required', { key: 'sk-u••••6789' }],
    ['channel_type_unknown', { type: 9999 }],
    ['channel_test_unsupported', { type: 2 }],
    ['channel_base_url_invalid', { base_url: 'file:///etc/passwd' }],
    ['channel_base_url_required', { type: 3, base_url: '' }],
    ['channel_line_break', { key: 'sk-one\rX-Injected: 1' }],
    ['channel_json_invalid', { setting: '{' }],
    ['channel_proxy_invalid', { setting: '{"proxy":"ftp://127.0.0.1"}' }],
    ['channel_header_override_invalid', { header_override: '{"x":1}' }],
  ])('is rejected with %s before a request is sent', async (code, body) => {
    expect(await test(body)).toMatchObject({ success: false, code })
    expect(probes).toEqual([])
  })

  it('is rejected in a process without a gateway', async () => {
    site.deps.probe = undefined

    expect(await test()).toMatchObject({ success: false, code: 'channel_test_off' })
  })

  it('is for administrators only, and on a demo site for its super admin', async () => {
    const user = await site.signedIn('user')
    const root = await site.signedIn('root')

    expect(await test({}, user)).toMatchObject({ success: false, code: 'forbidden' })
    await root.call(api.updateOption, { body: { key: 'DemoSiteEnabled', value: true } })
    const demo = await test()
    await root.call(api.updateOption, { body: { key: 'DemoSiteEnabled', value: false } })

    expect(demo).toMatchObject({ success: false, code: 'demo_site' })
    expect(probes).toEqual([])
  })
})
