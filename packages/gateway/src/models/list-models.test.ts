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

  it.each([
    { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' },
    { ...authorized, 'anthropic-version': '2026-10-21' },
  ])(
    "has Anthropic's format, with the limits of each model, for clients that send its version: %j",
    async (headers) => {
      await start({
        settings: { ModelRatio: { 'my-model': 1 } },
        channels: [aChannel({ models: ['claude-opus-5', 'gpt-4o', 'my-model'] })],
      })

      const { json } = await gateway.send({ path: '/v1/models?limit=1000', headers })
      const one = await gateway.send({ path: '/v1/models/claude-opus-5', headers })

      const claude = {
        id: 'claude-opus-5',
        type: 'model',
        display_name: 'claude-opus-5',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        lifecycle: 'active',
        deprecated_at: null,
        retires_at: null,
        line: 'opus',
        max_input_tokens: 1_000_000,
        max_tokens: 128_000,
        capabilities: null,
      }
      expect(json).toMatchObject({
        data: [
          claude,
          { id: 'gpt-4o', line: null, max_input_tokens: 128_000, max_tokens: 16_384 },
          { id: 'my-model', max_input_tokens: null, max_tokens: null },
        ],
        first_id: 'claude-opus-5',
        last_id: 'my-model',
        has_more: false,
      })
      expect(one.json).toEqual(claude)
    },
  )

  it("has the limits in OpenAI's format too: of the model behind another name, and of the smallest target", async () => {
    const smart = [
      { model: 'claude-opus-5', priorities: 1 },
      { model: 'gpt-4o', priorities: 1 },
    ]
    await start({
      settings: { ModelRatio: { 'my-model': 1 }, global_model_mapping: { mapping: { smart } } },
      channels: [
        aChannel({ models: ['claude-opus-5', 'gpt-4o', 'my-model'], modelMapping: new Map([['my-model', 'gpt-4o']]) }),
      ],
    })

    const { json } = await gateway.send({ path: '/v1/models', headers: authorized })

    type Listed = { id: string; context_length: number; max_completion_tokens: number }
    expect(json.data.map((model: Listed) => [model.id, model.context_length, model.max_completion_tokens])).toEqual([
      ['claude-opus-5', 1_000_000, 128_000],
      ['gpt-4o', 128_000, 16_384],
      ['my-model', 128_000, 16_384],
      ['smart', 128_000, 16_384],
    ])
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
      {
        name: 'models/my-model',
        supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
      },
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
