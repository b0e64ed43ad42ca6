import { api } from '@tidegate/contract'
import { beforeAll, expect, it } from 'vitest'
import { verifyBooks } from '../../scenarios/books.ts'
import { UPSTREAMS } from '../matrix/upstreams/index.ts'
import { asked, site } from './site.ts'

const SYSTEM_PROMPT = 'You are the harbour master.'
const OVERRIDE = { temperature: 0.125 }

/** How each vendor is told a temperature, at the top of the body or inside. */
const OVERRIDES = {
  'openai-chat': OVERRIDE,
  'openai-responses': OVERRIDE,
  'anthropic-messages': OVERRIDE,
  'gemini-generate': { generationConfig: OVERRIDE },
}

const VENDORS = Object.values(UPSTREAMS)
const CASES = VENDORS.flatMap((upstream) => [false, true].map((stream) => [upstream.protocol, stream] as const))

/** The test of one channel: a call like any other, but for the bill. */
export function channelTestTests(): void {
  beforeAll(() => site.setOptions({ RetryTimes: 2, 'global.auto_retry_enabled': false }))

  it.each(CASES)('asks a vendor of %s as a call would, streamed: %s', async (protocol, stream) => {
    const { channel, model, inspect } = UPSTREAMS[protocol]
    const vendor = await site.addVendor({
      ...channel,
      models: 'tested-name',
      model_mapping: JSON.stringify({ 'tested-name': 'a-link', 'a-link': model }),
      system_prompt: SYSTEM_PROMPT,
      param_override: JSON.stringify(OVERRIDES[protocol]),
    })

    const result = await site.admin.call(api.testChannel, { path: { id: vendor.channel.id }, query: { stream } })

    expect(result).toMatchObject({ success: true, message: '', model: 'tested-name' })
    expect(result.time).toBeGreaterThan(0)
    const request = vendor.requests[0]!
    expect(request.form).toBe(protocol)
    expect(request.path + request.rawBody.toString()).toContain(model)
    expect(inspect(request)).toMatchObject({ system: SYSTEM_PROMPT, streams: stream })
    expect(request.body).toMatchObject(OVERRIDES[protocol])
    expect(asked(vendor)).toEqual([1])
  })

  it('charges nobody, and leaves a row that says what it is', async () => {
    const vendor = await site.addVendor({ models: 'm-free-test', test_model: 'm-test-model' })
    const before = await site.admin.call(api.getSelf)

    await site.admin.call(api.testChannel, { path: { id: vendor.channel.id } })

    const query = { p: 1, page_size: 10, channel: vendor.channel.id }
    const { items } = await site.admin.call(api.listLogs, { query })
    expect(items).toMatchObject([{ type: api.LOG_TYPE.consumption, model_name: 'm-test-model', user_id: before.id }])
    expect(items[0]!.prompt_tokens + items[0]!.completion_tokens).toBeGreaterThan(0)
    expect(JSON.parse(items[0]!.other)).toMatchObject({ test: true })
    const { quota, used_quota, request_count } = before
    expect(await site.admin.call(api.getSelf)).toMatchObject({ quota, used_quota, request_count })
    expect(await site.channelOf(vendor)).toMatchObject({ used_quota: 0, response_time: expect.any(Number) })
    expect(await verifyBooks({ ...site.env }, site.dataDirectory)).toBe('')
  })

  it('says what the vendor said when it fails, without the key, and asks once', async () => {
    const key = 'key-of-a-vendor-that-fails'
    const vendor = await site.addVendor({ models: 'm-failing-test', key })
    vendor.always({ status: 403, body: { error: { message: `The key ${key} may not use this model.` } } })

    for (const stream of [false, true]) {
      const order = { path: { id: vendor.channel.id }, query: { stream } }
      const { response, envelope } = await site.admin.send(api.testChannel, order)
      expect(response.status).toBe(200)
      expect(envelope).toMatchObject({ success: false, message: expect.stringContaining('may not use this model') })
      expect(JSON.stringify(envelope)).not.toContain(key)
    }
    expect(asked(vendor)).toEqual([2])
    expect(await site.channelOf(vendor)).toMatchObject({ status: api.CHANNEL_STATUS.enabled })
  })

  it('works for a channel that is out of use', async () => {
    const vendor = await site.addVendor({ models: 'm-disabled-test' })
    await site.admin.call(api.updateChannel, { body: { id: vendor.channel.id, status: 2 } })

    const result = await site.admin.call(api.testChannel, { path: { id: vendor.channel.id } })

    expect(result).toMatchObject({ success: true })
    expect(asked(vendor)).toEqual([1])
  })
}
