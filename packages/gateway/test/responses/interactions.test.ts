import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from '../support/catalog.ts'
import { KEY, startGateway, type TestGateway, type TestResponse } from '../support/gateway.ts'
import { MemoryResponses } from '../support/responses.ts'

const OTHER_USER = 'sk-otheruserotheruserotheruser'
const PRIVATE_TOKEN = 'sk-privatetokenprivatetokenpriv'

let upstream: FakeUpstream
let gateway: TestGateway
let responses: MemoryResponses

const PROVIDERS = [
  { name: 'openai', type: 1, model: 'gpt-4o' },
  { name: 'anthropic', type: 14, model: 'claude-sonnet-4-5' },
  { name: 'gemini', type: 24, model: 'gemini-2.5-pro' },
  { name: 'deepseek', type: 43, model: 'deepseek-chat' },
]
const [OPENAI, , GEMINI] = PROVIDERS.map(({ model }) => model) as [string, string, string, string]
const channels = () =>
  PROVIDERS.map(({ type, model }, index) =>
    aChannel({ id: index + 1, type, baseUrl: upstream.url, models: [model], keys: [`key-${index + 1}`] }),
  )

async function start(settings: Parameters<typeof startGateway>[0]['settings'] = {}) {
  gateway = await startGateway({
    channels: channels(),
    settings,
    responses,
    otherCallers: {
      [OTHER_USER]: { userId: 8, tokenId: 80 },
      [PRIVATE_TOKEN]: { tokenId: 71, storesResponses: false },
    },
  })
}

beforeEach(async () => {
  upstream = await fakeUpstream()
  responses = new MemoryResponses()
})
afterEach(async () => {
  expect(gateway.credit.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
  await upstream.close()
})

const send = (method: string, path: string, key = KEY, body?: object) =>
  gateway.send({
    method,
    path,
    headers: { 'x-goog-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
const interact = (fields: object, key = KEY) => send('POST', '/v1beta/interactions', key, { input: 'hi', ...fields })
const show = (id: string, key = KEY) => send('GET', `/v1beta/interactions/${id}`, key)
const TOOLS = [
  {
    type: 'function',
    name: 'tide',
    description: 'Tide at a place',
    parameters: { type: 'object', properties: { at: { type: 'string' } } },
  },
]

interface Interaction {
  id: string
  status: string
  steps: { type: string; [member: string]: unknown }[]
  usage: Record<string, number>
}

interface StreamEvent {
  event_type: string
  event_id: string
  index?: number
  step?: object
  delta?: { type?: string; text?: string; arguments?: string; signature?: string; content?: object }
  interaction?: Interaction
}

/** The interaction as a client has it, whole or after a stream. */
function readInteraction({ json, data }: TestResponse): Interaction {
  if (json) return json as Interaction
  expect(data.at(-1)).toBe('[DONE]')
  const events = data.slice(0, -1).map((text) => JSON.parse(text) as StreamEvent)
  expect(events.map(({ event_id: id }) => id)).toEqual(events.map((_, index) => `e${index}`))
  const steps: Record<string, unknown>[] = []
  for (const { event_type: type, index = 0, step, delta = {} } of events) {
    const current = steps[index] as { text?: string; arguments?: unknown; json?: string } | undefined
    if (type === 'step.start') steps[index] = { ...step }
    else if (type === 'step.delta' && current) {
      if (delta.type === 'text') current.text = (current.text ?? '') + delta.text
      if (delta.type === 'arguments_delta') current.json = (current.json ?? '') + delta.arguments
      if (delta.type === 'thought_signature') Object.assign(current, { signature: delta.signature })
      if (delta.type === 'thought_summary') Object.assign(current, { summary: [delta.content] })
    }
  }
  const last = events.at(-1)!.interaction!
  return { ...last, steps: steps.map(finishStep) }
}

function finishStep({ text, json, ...step }: Record<string, unknown>): Interaction['steps'][number] {
  return {
    ...step,
    ...(text !== undefined && { content: [{ type: 'text', text }] }),
    ...(json !== undefined && { arguments: JSON.parse(json as string) as unknown }),
  } as Interaction['steps'][number]
}

const lastBody = () => upstream.requests.at(-1)!.body as Record<string, unknown>

describe.each(PROVIDERS)('on a channel of $name', ({ model }) => {
  describe.each([{ stream: false }, { stream: true }])('with %o', (form) => {
    it('returns text, usage and a status', async () => {
      await start()
      upstream.next({ text: 'The tide is high.' })

      const response = await interact({ model, input: 'How is the tide?', system_instruction: 'Be brief.', ...form })

      expect(response.status).toBe(200)
      const interaction = readInteraction(response)
      expect(interaction).toMatchObject({
        id: expect.stringMatching(/^v1_/),
        status: 'completed',
        object: 'interaction',
        model,
      })
      expect(interaction.steps).toEqual([
        { type: 'model_output', content: [{ type: 'text', text: 'The tide is high.' }] },
      ])
      if (model === 'deepseek-chat') return // it is not asked for usage, so it is counted
      const counts = upstream.requests[0]!.sent.counts!
      expect(interaction.usage).toMatchObject({
        total_input_tokens: counts.input,
        total_output_tokens: counts.output,
        total_tokens: counts.input + counts.output,
      })
      expect(gateway.credit.settled).toMatchObject([
        { usage: { input: counts.input, output: counts.output, estimated: false } },
      ])
    })

    it('runs a tool session of several turns, and continues it by id', async () => {
      await start()
      upstream.next(
        { toolCalls: [{ id: 'call_1', name: 'tide', arguments: '{"at":"Kiel"}' }] },
        { toolCalls: [{ id: 'call_2', name: 'tide', arguments: '{"at":"Bremen"}' }] },
        { text: 'High at both.' },
      )
      const first = readInteraction(await interact({ model, input: 'Tides?', tools: TOOLS, ...form }))
      const result = (interaction: Interaction, text: string) => {
        const call = interaction.steps.find(({ type }) => type === 'function_call')!
        return [{ type: 'function_result', call_id: call.id, name: call.name, result: text }]
      }
      const second = readInteraction(
        await interact({
          model,
          input: result(first, '3 m'),
          tools: TOOLS,
          previous_interaction_id: first.id,
          ...form,
        }),
      )
      const third = readInteraction(
        await interact({
          model,
          input: result(second, '4 m'),
          tools: TOOLS,
          previous_interaction_id: second.id,
          ...form,
        }),
      )

      expect(first.status).toBe('requires_action')
      expect(first.steps.at(-1)).toMatchObject({ type: 'function_call', name: 'tide', arguments: { at: 'Kiel' } })
      expect(third.status).toBe('completed')
      const stored = await show(third.id)
      expect(stored.status).toBe(200)
      expect(stored.json).toMatchObject({
        id: third.id,
        status: 'completed',
        previous_interaction_id: second.id,
        steps: third.steps,
        usage: third.usage,
      })
      expect((await show(first.id)).json).toMatchObject({ status: 'requires_action', steps: first.steps })
    })

    it('keeps thoughts with their signature when the client sends the steps itself', async () => {
      await upstream.close()
      upstream = await fakeUpstream({ strict: false }) // providers compatible with OpenAI send their thoughts
      await start()
      upstream.next(
        { reasoning: 'I need the table.', toolCalls: [{ id: 'call_1', name: 'tide', arguments: '{"at":"Kiel"}' }] },
        { text: 'High.' },
      )
      const config = {
        generation_config: { thinking_level: 'low', thinking_summaries: 'auto', max_output_tokens: 9000 },
      }
      const user = { type: 'user_input', content: [{ type: 'text', text: 'Tide?' }] }
      const fields = { model, tools: TOOLS, store: false, ...config, ...form }
      const first = readInteraction(await interact({ ...fields, input: [user] }))
      const call = first.steps.find(({ type }) => type === 'function_call')!

      const second = await interact({
        ...fields,
        input: [user, ...first.steps, { type: 'function_result', call_id: call.id, result: { meters: 3 } }],
      })

      expect(second.status, second.text).toBe(200)
      expect(readInteraction(second).steps.at(-1)).toMatchObject({ content: [{ text: 'High.' }] })
    })
  })

  it('deletes a stored interaction, and shows its input on request', async () => {
    await start()
    const { id } = readInteraction(await interact({ model, input: 'How is the tide?' }))

    const shown = await send('GET', `/v1beta/interactions/${id}?include_input=true`)
    const deleted = await send('DELETE', `/v1beta/interactions/${id}`)

    expect(shown.json.input).toEqual([{ type: 'user_input', content: [{ type: 'text', text: 'How is the tide?' }] }])
    expect([deleted.status, deleted.json]).toEqual([200, {}])
    const gone = await show(id)
    expect([gone.status, gone.json.error.status]).toEqual([404, 'NOT_FOUND'])
  })

  it('runs in the background, and is polled', async () => {
    await start()
    upstream.next({ text: 'The tide is high.' })

    const queued = await interact({ model, input: 'How is the tide?', background: true })

    expect(queued.json).toMatchObject({ status: 'queued', steps: [] })
    await expect.poll(async () => (await show(queued.json.id)).json.status).toBe('completed')
    expect((await show(queued.json.id)).json.steps.at(-1).content).toEqual([
      { type: 'text', text: 'The tide is high.' },
    ])
  })

  it('cancels what runs in the background', async () => {
    await start()
    upstream.next({ textLength: 4000, stallAfterEvents: 8 })
    const { id } = (await interact({ model, background: true })).json as { id: string }
    await upstream.received(1)

    const cancelled = await send('POST', `/v1beta/interactions/${id}/cancel`)

    expect([cancelled.status, cancelled.json.status]).toEqual([200, 'cancelled'])
    await upstream.aborted(1)
    await expect.poll(() => gateway.credit.states()).not.toContain('reserved')
  })

  it('sends an image', async () => {
    await start()
    const image = { type: 'image', mime_type: 'image/png', data: 'iVBORw0KGgo=' }

    const response = await interact({ model, input: [{ type: 'text', text: 'What is it?' }, image] })

    if (model === 'deepseek-chat') return expect([200, 400]).toContain(response.status)
    expect(response.status, response.text).toBe(200)
    expect(JSON.stringify(lastBody())).toContain('iVBORw0KGgo=')
  })
})

describe('a channel of Google', () => {
  it("receives the client's bytes at its own endpoint, and its events are forwarded", async () => {
    await start({ 'gemini.safety_settings': {} })
    upstream.next({ text: 'High.' })
    const body = `{"model":"${GEMINI}", "input":"Tide?",  "stream":true, "labels":{"a":"b"}, "generation_config":{"seed":1.0}}`

    const response = await gateway.send({
      method: 'POST',
      path: '/v1beta/interactions',
      headers: { 'x-goog-api-key': KEY, 'content-type': 'application/json' },
      body,
    })

    expect(upstream.requests[0]).toMatchObject({ path: '/v1beta/interactions', form: 'gemini-interactions' })
    expect(upstream.requests[0]!.rawBody.toString()).toBe(body)
    expect(upstream.requests[0]!.headers['x-goog-api-key']).toBe('key-3')
    expect(readInteraction(response)).toMatchObject({ id: 'v1_fake1' })
    expect(response.text).toMatch(/event: interaction\.completed\ndata: .*\n\nevent: done\ndata: \[DONE\]\n\n$/)
  })

  it('continues an interaction that its account stores by id, and our copy after the account failed', async () => {
    const spare = aChannel({ id: 9, type: 24, baseUrl: upstream.url, models: [GEMINI], keys: ['spare'], priority: -1 })
    await start({ RetryTimes: 1 })
    gateway.setChannels([...channels(), spare])
    upstream.next({ text: 'The tide is high.' }, { text: 'The moon.' })
    const first = readInteraction(await interact({ model: GEMINI, input: 'How is the tide?' }))
    const second = readInteraction(await interact({ model: GEMINI, input: 'Why?', previous_interaction_id: first.id }))
    expect(lastBody()).toMatchObject({ input: 'Why?', previous_interaction_id: first.id })
    upstream.when(({ headers }) => headers['x-goog-api-key'] === 'key-3', { status: 500 })

    const third = await interact({ model: GEMINI, input: 'Sure?', previous_interaction_id: second.id })

    expect(third.status, third.text).toBe(200)
    expect(upstream.requests.at(-1)!.headers['x-goog-api-key']).toBe('spare')
    expect(JSON.stringify(lastBody())).toMatch(/How is the tide\?.*The tide is high\..*Why\?.*The moon\..*Sure\?/)
    expect(lastBody()).not.toHaveProperty('previous_interaction_id')
  })

  it('bills cached tokens and thoughts of the last event only', async () => {
    await start()
    upstream.next({
      text: 'High.',
      reasoning: 'Let me see.',
      usage: { prompt_tokens: 100, completion_tokens: 50, prompt_tokens_details: { cached_tokens: 40 } },
    })

    const { usage } = readInteraction(await interact({ model: GEMINI, stream: true }))

    expect(usage).toMatchObject({ total_input_tokens: 100, total_cached_tokens: 40 })
    expect(gateway.credit.settled).toMatchObject([{ usage: { input: 60, cacheRead: 40, estimated: false } }])
  })

  it('is asked for generateContent by clients of other protocols', async () => {
    await start()

    await gateway.chat({ model: GEMINI, messages: [{ role: 'user', content: 'hi' }] })

    expect(upstream.requests[0]!.form).toBe('gemini-generate')
  })
})

describe('a thread', () => {
  it('continues with a model of another provider, in both directions', async () => {
    await start()
    upstream.next({ text: 'The tide is high.' }, { text: 'The moon.' }, { text: 'Yes.' })
    const first = readInteraction(
      await interact({ model: GEMINI, input: 'How is the tide?', system_instruction: 'short' }),
    )
    const second = readInteraction(await interact({ model: OPENAI, input: 'Why?', previous_interaction_id: first.id }))

    const third = await interact({ model: GEMINI, input: 'Sure?', previous_interaction_id: second.id })

    expect(third.status, third.text).toBe(200)
    expect(JSON.stringify(lastBody())).toMatch(/How is the tide\?.*The tide is high\..*Why\?.*The moon\..*Sure\?/)
    expect(JSON.stringify(lastBody())).not.toContain('short')
  })

  it('of another user does not exist', async () => {
    await start()
    const { id } = readInteraction(await interact({ model: OPENAI }))
    const before = upstream.requests.length

    const [shown, deleted, cancelled, continued] = await Promise.all([
      show(id, OTHER_USER),
      send('DELETE', `/v1beta/interactions/${id}`, OTHER_USER),
      send('POST', `/v1beta/interactions/${id}/cancel`, OTHER_USER),
      interact({ model: OPENAI, previous_interaction_id: id }, OTHER_USER),
    ])

    expect([shown, deleted, cancelled, continued].map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(continued.json.error.status).toBe('NOT_FOUND')
    expect(upstream.requests).toHaveLength(before)
    expect((await show(id)).status).toBe(200)
  })

  it('is not mixed with the Responses API', async () => {
    await start()
    const { id } = readInteraction(await interact({ model: OPENAI }))

    const shown = await gateway.send({
      method: 'GET',
      path: `/v1/responses/${id}`,
      headers: { authorization: `Bearer ${KEY}` },
    })

    expect(shown.status).toBe(404)
  })

  it.each([
    ['with store: false', { store: false }, {}, KEY],
    ['while the retention is 0 days', {}, { StoredResponseDays: 0 }, KEY],
    ['for an API token that does not allow it', {}, {}, PRIVATE_TOKEN],
  ])('is not stored %s', async (_, fields, settings, key) => {
    await start(settings)

    const { id } = readInteraction(await interact({ model: OPENAI, ...fields }, key))

    expect(responses.saved).toEqual([])
    expect((await show(id, key)).status).toBe(404)
  })
})

describe('an error', () => {
  it.each([
    ['an unknown model', { model: 'nothing' }, 404, 'NOT_FOUND'],
    ['a missing model', {}, 400, 'INVALID_ARGUMENT'],
    ['an agent', { agent: 'deep-research' }, 400, 'INVALID_ARGUMENT'],
    ['an empty input', { model: OPENAI, input: [] }, 400, 'INVALID_ARGUMENT'],
    [
      'cached content on another provider',
      { model: OPENAI, cached_content: 'cachedContents/1' },
      400,
      'INVALID_ARGUMENT',
    ],
  ])("about %s is in Google's form", async (_, fields, status, name) => {
    await start()

    const response = await interact(fields)

    expect(response.status).toBe(status)
    expect(response.json.error).toMatchObject({ code: status, status: name, message: expect.any(String) })
  })

  it.each([
    ['the header', { 'x-goog-api-key': KEY }, ''],
    ['the URL', {}, `?key=${KEY}`],
    ['a bearer token', { authorization: `Bearer ${KEY}` }, ''],
  ])('is not returned with the API token in %s', async (_, headers, query) => {
    await start()
    const body = JSON.stringify({ model: OPENAI, input: 'hi' })

    const response = await gateway.send({
      method: 'POST',
      path: `/v1beta/interactions${query}`,
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })

    expect(response.status).toBe(200)
  })

  it.each(PROVIDERS)('inside a stream of $name is an event', async ({ model }) => {
    await start()
    upstream.next({ textLength: 400, errorEvent: { afterEvents: 9, status: 500, message: 'broken' } })

    const response = await interact({ model, stream: true })

    expect(response.status).toBe(200)
    const events = response.data.map((text) => JSON.parse(text) as { event_type: string; error?: object })
    expect(events.filter(({ event_type: type }) => type === 'error')).toEqual([events.at(-1)])
    expect(events.at(-1)).toEqual({
      event_type: 'error',
      error: { code: expect.any(String), message: expect.any(String) },
    })
    expect(response.text).not.toContain('[DONE]')
  })

  it('inside a stream names a balance that was used up', async () => {
    await start({ ModelRatio: { [OPENAI]: 1 }, CompletionRatio: { [OPENAI]: 1 } })
    upstream.next({ text: 'the tide comes in '.repeat(3000), ignoresLimit: true, usage: 'missing' })
    gateway.credit.balance = 2_000

    const response = await interact({ model: OPENAI, stream: true })

    const last = JSON.parse(response.data.at(-1)!) as { error: { code: string; message: string } }
    expect(last).toMatchObject({ event_type: 'error', error: { code: 'insufficient_user_quota' } })
    expect(gateway.credit.balance).toBe(0)
  })
})

describe('a tool that Google runs', () => {
  it('is a search at another provider', async () => {
    await start()

    const response = await interact({ model: 'claude-sonnet-4-5', tools: [{ type: 'google_search' }] })

    expect(response.status, response.text).toBe(200)
    expect(response.headers['x-tidegate-stripped'] ?? JSON.stringify(lastBody())).toMatch(/web_search/)
  })

  it('is reported if the provider lacks it, and rejected without any other tool', async () => {
    await start()
    const tools = [{ type: 'code_execution' }, { type: 'url_context' }]

    const reported = await interact({ model: OPENAI, tools: [...tools, ...TOOLS] })
    const rejected = await interact({ model: OPENAI, tools })

    expect(reported.headers['x-tidegate-dropped']).toBe('tools: code_execution, tools: url_context')
    expect(rejected.status).toBe(400)
    expect(rejected.json.error.message).toContain('code_execution')
  })
})
