import { afterEach, describe, expect, it } from 'vitest'
import { aChannel } from '../../test/support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../../test/support/gateway.ts'

let gateway: TestGateway
type StartOptions = Partial<Parameters<typeof startGateway>[0]>
const start = async (options: StartOptions = {}) => {
  gateway = await startGateway({ channels: [aChannel()], ...options })
}
afterEach(() => gateway.close())

const authorized = { authorization: `Bearer ${KEY}` }

describe('the model list', () => {
  it('has the models of the group, with and without a prefix', async () => {
    await start({
      settings: { ModelRatio: { 'my-model': 1 } },
      channels: [
        aChannel({ models: ['gpt-4o', 'my-model'] }),
        aChannel({ id: 2, models: ['gpt-4o', 'gpt-4'], modelPrefix: 'west/' }),
        aChannel({ id: 3, models: ['hidden'], groups: ['vip'] }),
      ],
    })

    const { json } = await gateway.send({ path: '/v1/models/', headers: authorized })

    expect(json).toMatchObject({ success: true, object: 'list' })
    expect(
      json.data.map((model: { id: string; root: string; owned_by: string }) => [model.id, model.root, model.owned_by]),
    ).toEqual([
      ['west/gpt-4', 'gpt-4', 'openai'],
      ['gpt-4o', 'gpt-4o', 'openai'],
      ['west/gpt-4o', 'gpt-4o', 'openai'],
      ['my-model', 'my-model', 'custom'],
    ])
  })

  it.each([
    ['no setting allows that', {}, ['gpt-4o']],
    [
      'the user accepts that',
      { caller: { userSetting: { acceptUnsetRatio: true, showIp: false } } },
      ['gpt-4o', 'nameless', 'smart'],
    ],
    ['the site is for self-use', { settings: { SelfUseModeEnabled: true } }, ['gpt-4o', 'nameless', 'smart']],
  ])('has models without a price only where %s', async (_name, { settings, ...options }: StartOptions, names) => {
    const mapping = { mapping: { smart: [{ model: 'nameless', priorities: 1 }] } }
    const channels = [aChannel({ models: ['gpt-4o', 'nameless'] })]
    await start({ ...options, channels, settings: { ...settings, global_model_mapping: mapping } })

    const { json } = await gateway.send({ path: '/v1/models', headers: authorized })

    expect(json.data.map(({ id }: { id: string }) => id)).toEqual(names)
  })

  it('is limited to the models of a limited token, and finds single models', async () => {
    await start({ caller: { modelLimitsEnabled: true, modelLimits: ['gpt-4o', 'org/x'] } })

    const list = await gateway.send({ path: '/v1/models', headers: authorized })
    const one = await gateway.send({ path: '/hf/v1/models/org%2Fx', headers: authorized })
    const none = await gateway.send({ path: '/v1/models/gpt-4', headers: authorized })

    expect(list.json.data.map(({ id }: { id: string }) => id)).toEqual(['gpt-4o', 'org/x'])
    expect(one.json).toMatchObject({ id: 'org/x', object: 'model', created: 1626777600, parent: null })
    expect([none.status, none.json.error.code]).toEqual([404, 'model_not_found'])
  })

  it('has another format for clients of the other protocol', async () => {
    await start()

    const { json } = await gateway.send({
      path: '/v1/models',
      headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' },
    })

    expect(json).toMatchObject({
      data: [{ id: 'gpt-4o', type: 'model', display_name: 'gpt-4o' }],
      first_id: 'gpt-4o',
      last_id: 'gpt-4o',
      has_more: false,
    })
  })

  it("has Google's format at Google's path, with the known limits of a model", async () => {
    await start({
      channels: [aChannel({ models: ['gpt-4o', 'my-model'] })],
      settings: { ModelRatio: { 'my-model': 1 } },
    })

    const list = await gateway.send({ path: `/v1beta/models?key=${KEY}` })
    const one = await gateway.send({ path: '/v1beta/models/my-model', headers: { 'x-goog-api-key': KEY } })

    expect(list.json.models).toMatchObject([
      { name: 'models/gpt-4o', inputTokenLimit: expect.any(Number), outputTokenLimit: expect.any(Number) },
      { name: 'models/my-model', supportedGenerationMethods: ['generateContent', 'streamGenerateContent'] },
    ])
    expect(one.json).toMatchObject({ name: 'models/my-model', version: 'v1beta' })
  })

  it('has virtual models with a target that the group may use', async () => {
    const mapping = {
      smart: [
        { model: 'elsewhere', priorities: 2 },
        { model: 'gpt-4o', priorities: 1 },
      ],
      lost: [{ model: 'elsewhere', priorities: 0 }],
    }
    await start({ settings: { global_model_mapping: { mapping } } })

    const { json } = await gateway.send({ path: '/v1/models', headers: authorized })

    expect(json.data.map((model: { id: string; owned_by: string }) => [model.id, model.owned_by])).toEqual([
      ['gpt-4o', 'openai'],
      ['smart', 'virtual'],
    ])
  })
})

describe('count_tokens', () => {
  it('counts a prompt without calling or charging anything', async () => {
    await start()
    const body = JSON.stringify({
      model: 'claude-sonnet-4-20250514',
      system: 'Be kind.',
      messages: [{ role: 'user', content: 'hello world' }],
      tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }],
    })

    const counted = await gateway.send({
      method: 'POST',
      path: '/v1/messages/count_tokens',
      headers: { 'x-api-key': KEY },
      body,
    })
    const rejected = await gateway.send({ method: 'POST', path: '/v1/messages/count_tokens', body })

    expect(counted.json.input_tokens).toBeGreaterThan(8)
    expect(counted.json.input_tokens).toBeLessThan(40)
    expect(rejected.json).toMatchObject({ type: 'error', error: { type: 'authentication_error' } })
    expect(gateway.credit.settled).toEqual([])
  })
})
