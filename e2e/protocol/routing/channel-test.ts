import { api } from '@tidegate/contract'
import { beforeAll, expect, it } from 'vitest'
import { type Protocol, upstreamsOf } from '../matrix/conversation.ts'
import { UPSTREAMS } from '../matrix/upstreams/index.ts'
import { requestCounts, site } from './site.ts'

const SYSTEM_PROMPT = 'You are the harbour master.'
const OVERRIDE = { temperature: 0.125 }

/** Where each protocol has the temperature. */
const OVERRIDES: Partial<Record<Protocol, object>> = {
  'openai-chat': OVERRIDE,
  'openai-responses': OVERRIDE,
  'anthropic-messages': OVERRIDE,
  'gemini-generate': { generationConfig: OVERRIDE },
}

const CASES = upstreamsOf('openai-chat').flatMap((upstream) =>
  [false, true].map((stream) => [upstream, stream] as const),
)

/** The test of one channel: a request like any other, without a charge. */
export function channelTestTests(): void {
  beforeAll(() => site.setOptions({ RetryTimes: 2, 'global.auto_retry_enabled': false }))

  it.each(CASES)(
    'sends a provider of %s the same request as a client would, streamed: %s',
    async (protocol, stream) => {
      const { channel, model, inspect } = UPSTREAMS[protocol]
      const provider = await site.addProvider({
        ...channel,
        models: 'tested-name',
        model_mapping: JSON.stringify({ 'tested-name': 'a-link', 'a-link': model }),
        system_prompt: SYSTEM_PROMPT,
        param_override: JSON.stringify(OVERRIDES[protocol]),
      })

      const result = await site.admin.call(api.testChannel, { path: { id: provider.channel.id }, query: { stream } })

      expect(result).toMatchObject({ success: true, message: '', model: 'tested-name' })
      expect(result.time).toBeGreaterThan(0)
      const request = provider.requests[0]!
      expect(request.form).toBe(protocol)
      expect(request.path + request.rawBody.toString()).toContain(model)
      expect(inspect(request)).toMatchObject({ system: SYSTEM_PROMPT, streams: stream })
      expect(request.body).toMatchObject(OVERRIDES[protocol]!)
      expect(requestCounts(provider)).toEqual([1])
    },
  )

  it('charges no user and writes a marked log row', async () => {
    const provider = await site.addProvider({ models: 'm-free-test', test_model: 'm-test-model' })
    const before = await site.admin.call(api.getSelf)

    await site.admin.call(api.testChannel, { path: { id: provider.channel.id } })

    const query = { p: 1, page_size: 10, channel: provider.channel.id }
    const { items } = await site.admin.call(api.listLogs, { query })
    expect(items).toMatchObject([{ type: api.LOG_TYPE.consumption, model_name: 'm-test-model', user_id: before.id }])
    expect(items[0]!.prompt_tokens + items[0]!.completion_tokens).toBeGreaterThan(0)
    expect(JSON.parse(items[0]!.other)).toMatchObject({ test: true })
    const { quota, used_quota, request_count } = before
    expect(await site.admin.call(api.getSelf)).toMatchObject({ quota, used_quota, request_count })
    expect(await site.channelOf(provider)).toMatchObject({ used_quota: 0, response_time: expect.any(Number) })
  })

  it('returns the error of the provider without the key, and tries once', async () => {
    const key = 'key-of-a-provider-that-fails'
    const provider = await site.addProvider({ models: 'm-failing-test', key })
    provider.always({ status: 403, body: { error: { message: `The key ${key} may not use this model.` } } })

    for (const stream of [false, true]) {
      const query = { path: { id: provider.channel.id }, query: { stream } }
      const { response, envelope } = await site.admin.send(api.testChannel, query)
      expect(response.status).toBe(200)
      expect(envelope).toMatchObject({ success: false, message: expect.stringContaining('may not use this model') })
      expect(JSON.stringify(envelope)).not.toContain(key)
    }
    expect(requestCounts(provider)).toEqual([2])
    expect(await site.channelOf(provider)).toMatchObject({ status: api.CHANNEL_STATUS.enabled })
  })

  it('works for a disabled channel', async () => {
    const provider = await site.addProvider({ models: 'm-disabled-test' })
    await site.admin.call(api.updateChannel, { body: { id: provider.channel.id, status: 2 } })

    const result = await site.admin.call(api.testChannel, { path: { id: provider.channel.id } })

    expect(result).toMatchObject({ success: true })
    expect(requestCounts(provider)).toEqual([1])
  })
}
