import { request } from 'node:http'
import { api, type ProbeResult } from '@tidegate/contract'
import { findImbalances } from '@tidegate/ledger'
import { NO_USAGE, recomputeQuota } from '@tidegate/pricing'
import { addChannel, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../../test/start-site.ts'
import type { Probe, ProbeRequest } from '../../deps.ts'

const KEY = 'sk-tested-0123456789'
let site: TestSite
let root: ApiClient & { username: string }
let probes: ProbeRequest[]
let result: ProbeResult
const probe: Probe = async (request) => {
  probes.push(request)
  return result
}
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
})
afterAll(() => site.close())
beforeEach(() => {
  probes = []
  result = { ok: true, message: '', milliseconds: 1234.4, usage: { ...NO_USAGE, input: 100, output: 10 } }
  site.deps.probe = probe
})

const add = (changes: object = {}) =>
  addChannel(root, { url: 'http://127.0.0.1:9' }, { key: KEY, models: 'gpt-4o,o1', ...changes })
const test = async (id: number, query: Record<string, string | boolean> = {}) =>
  (await root.send(api.testChannel, { path: { id }, query })).envelope

const logs = (channelId: number) =>
  site.db.selectFrom('usage_log').selectAll().where('channel_id', '=', channelId).execute()

describe('testing a channel', () => {
  it('returns and stores success and duration', async () => {
    const { id } = await add()

    expect(await test(id)).toEqual({ success: true, message: '', time: 1.234, model: 'gpt-4o' })

    const channel = await root.call(api.getChannel, { path: { id } })
    expect(channel.response_time).toBe(1234)
    expect(channel.test_time).toBeGreaterThan(0)
  })

  it.each([
    ['the requested model', { test_model: 'b' }, { model: 'c' }, 'c'],
    ['the one the operator chose', { test_model: 'b' }, {}, 'b'],
    ['the first', {}, {}, 'gpt-4o'],
  ])('uses %s', async (_case, fields, query, model) => {
    const { id } = await add(fields)

    await test(id, query)

    expect(probes).toMatchObject([{ channelId: id, model, stream: false }])
  })

  it('uses a common model when the channel has none', async () => {
    const { id } = await add()
    await site.db.updateTable('channel').set({ models: '' }).where('id', '=', id).execute()

    await test(id, { stream: true })

    expect(probes).toMatchObject([{ model: 'gpt-4o-mini', stream: true }])
  })

  it('returns the error without the key, and stores the duration', async () => {
    const { id } = await add()
    result = { ok: false, message: `Incorrect API key provided: ${KEY}`, milliseconds: 50, status: 401 }

    expect(await test(id)).toEqual({
      success: false,
      code: 'channel_test_failed',
      status: 401,
      message: 'Incorrect API key provided: sk-t••••6789',
      time: 0.05,
      model: 'gpt-4o',
    })

    expect(await root.call(api.getChannel, { path: { id } })).toMatchObject({ response_time: 50, status: 1 })
    expect(await logs(id)).toEqual([])
  })

  it('treats a throwing probe as a failed test', async () => {
    const { id } = await add()
    site.deps.probe = () => Promise.reject(new Error(`secret ${KEY}`))

    const envelope = await test(id)

    expect(envelope).toMatchObject({ success: false, message: '渠道测试未通过' })
    expect(JSON.stringify(site.problems)).not.toContain(KEY)
  })

  it('logs the usage for the super admin without charging it', async () => {
    const { id } = await add({ group: 'vip' })

    await test(id, { stream: true })

    const [row, ...others] = await logs(id)
    expect(others).toEqual([])
    expect(row).toMatchObject({
      type: 2,
      user_id: root.userId,
      username: root.username,
      token_id: 0,
      token_name: 'model test',
      content: 'model test',
      model_name: 'gpt-4o',
      prompt_tokens: 100,
      completion_tokens: 10,
      use_time_ms: 1234,
      is_stream: true,
      quota: 175, // (100 + 10 × 4) × 1.25
      other: { test: true, group_ratio: 1, admin_info: { use_channel: [String(id)] } },
    })
    expect(recomputeQuota({ promptTokens: 100, completionTokens: 10, other: row!.other })).toBe(175)
    expect(await findImbalances(site.db)).toEqual([])
    expect(await root.call(api.getSelf)).toMatchObject({ used_quota: 0, request_count: 0 })
    expect(await site.db.selectFrom('usage_rollup').selectAll().execute()).toEqual([])
  })

  it('uses the cost computed by the gateway', async () => {
    const { id } = await add()
    result = { ...result, quota: 42 }

    await test(id)

    expect(await logs(id)).toMatchObject([{ quota: 42, other: { test: true } }])
  })

  it('writes no row while consumption is not logged', async () => {
    const { id } = await add()
    await root.call(api.updateOption, { body: { key: 'LogConsumeEnabled', value: false } })

    await test(id)
    await root.call(api.updateOption, { body: { key: 'LogConsumeEnabled', value: true } })

    expect(await logs(id)).toEqual([])
  })

  it('is aborted when the administrator disconnects, without a trace', async () => {
    const { id } = await add()
    const begun = Promise.withResolvers<AbortSignal>()
    const ended = Promise.withResolvers<void>()
    site.deps.probe = ({ signal }) => {
      begun.resolve(signal)
      const given = Promise.withResolvers<ProbeResult>()
      signal.addEventListener('abort', () => {
        given.resolve({ ok: false, message: 'given up', milliseconds: 5 })
        ended.resolve()
      })
      return given.promise
    }
    const session = await site.signedIn('admin')
    const hungUp = await askAndHangUp(session, id, begun.promise)

    await ended.promise

    expect(hungUp.aborted).toBe(true)
    expect(await root.call(api.getChannel, { path: { id } })).toMatchObject({ response_time: 0, test_time: 0 })
  })

  it.each([2, 5, 36])('is rejected for type %i', async (type) => {
    const { id } = await add()
    await site.db.updateTable('channel').set({ type }).where('id', '=', id).execute()

    expect(await test(id)).toMatchObject({ success: false, code: 'channel_test_unsupported' })
    expect(probes).toEqual([])
  })

  it('is rejected in a process without a gateway', async () => {
    const { id } = await add()
    site.deps.probe = undefined

    expect(await test(id)).toMatchObject({ success: false, code: 'channel_test_off' })
    expect((await root.send(api.testAllChannels)).envelope).toMatchObject({ success: false, code: 'channel_test_off' })
  })

  it('is rejected on a demo site except for its super admin', async () => {
    const { id } = await add()
    const admin = await site.signedIn('admin')
    await root.call(api.updateOption, { body: { key: 'DemoSiteEnabled', value: true } })

    const { envelope } = await admin.send(api.testChannel, { path: { id } })
    const own = await test(id)
    await root.call(api.updateOption, { body: { key: 'DemoSiteEnabled', value: false } })

    expect(envelope).toMatchObject({ success: false, code: 'demo_site' })
    expect(own).toMatchObject({ success: true })
  })
})

/** Requests a test like a browser and closes the connection once it has begun. */
async function askAndHangUp(client: ApiClient, id: number, begun: Promise<AbortSignal>): Promise<AbortSignal> {
  const token = 'hang-up-token'
  const hash = site.deps.vault.keyedHash('access-token', token)
  await site.db.insertInto('access_token').values({ user_id: client.userId!, hash, last_four: 'oken' }).execute()
  const call = request(`${site.url}/api/channel/test/${id}`, {
    headers: { authorization: token, 'tidegate-user': String(client.userId) },
  })
  call.on('error', () => {})
  call.end()
  const signal = await begun
  call.destroy()
  return signal
}
