import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from '../support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../support/gateway.ts'
import { MemoryResponses } from '../support/responses.ts'

const PROVIDERS = [
  { name: 'openai', type: 1, model: 'gpt-4o' },
  { name: 'anthropic', type: 14, model: 'claude-sonnet-4-5' },
  { name: 'gemini', type: 24, model: 'gemini-2.5-flash' },
  { name: 'deepseek', type: 43, model: 'deepseek-chat' },
]

let upstream: FakeUpstream
let gateway: TestGateway
beforeEach(async () => {
  upstream = await fakeUpstream()
  gateway = await startGateway({
    channels: PROVIDERS.map(({ type, model }, index) =>
      aChannel({ id: index + 1, type, baseUrl: upstream.url, models: [model] }),
    ),
    responses: new MemoryResponses(),
    settings: { RetryTimes: 0 },
  })
})
afterEach(async () => {
  await expect.poll(() => gateway.gateway.openRequests()).toBe(0)
  expect(gateway.credit.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
  await upstream.close()
})

const post = (path: string, body: object) =>
  gateway.send({
    method: 'POST',
    path: `/v1/responses${path}`,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const settled = () => gateway.credit.states().filter((state) => state === 'settled').length
const lastBody = () => JSON.stringify(upstream.requests.at(-1)!.body)

const CONVERSATION = [
  { type: 'message', role: 'user', content: 'How is the tide?' },
  { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'tg1.x' },
  { type: 'function_call', call_id: 'call_1', name: 'tide', arguments: '{"port":"Brest"}' },
  { type: 'function_call_output', call_id: 'call_1', output: 'high' },
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'High in Brest.' }] },
]
const SUMMARY = 'The user asked about the tide in Brest: it is high. 潮'

describe.each(PROVIDERS)('a conversation on a channel of $name', ({ model }) => {
  it('is compacted by a summary, which is billed, and goes on from it', async () => {
    upstream.when(({ path }) => path.endsWith('/compact'), { status: 404, body: { error: { message: 'Not found' } } })
    upstream.when(({ rawBody }) => rawBody.includes('Summarize this conversation'), { text: SUMMARY })

    const { status, json } = await post('/compact', { model, input: CONVERSATION })

    expect(status).toBe(200)
    expect(json).toMatchObject({
      id: expect.stringMatching(/^resp_/),
      object: 'response.compaction',
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
    })
    expect(json.output).toMatchObject([
      { type: 'message', role: 'user', content: 'How is the tide?' },
      { type: 'compaction', id: expect.stringMatching(/^cmp_/), encrypted_content: expect.any(String) },
    ])
    expect(lastBody()).toMatch(/How is the tide\?.*Brest.*high.*Summarize this conversation/)
    expect(settled()).toBe(1)

    upstream.next({ text: 'Low at noon.' })
    const next = await post('', { model, input: [...json.output, { role: 'user', content: 'And tomorrow?' }] })

    expect(next.status).toBe(200)
    expect(lastBody()).toMatch(/How is the tide\?.*Summary of the conversation.*it is high\. 潮.*And tomorrow\?/)
    expect(lastBody()).not.toContain('encrypted_content')
  })

  it.each([{ stream: true }, { stream: false }])('is compacted by a trigger with %o', async (form) => {
    upstream.when(({ rawBody }) => rawBody.includes('"compaction_trigger"'), {
      status: 400,
      body: { error: { message: "Invalid value: 'compaction_trigger'", type: 'invalid_request_error' } },
    })
    upstream.when(({ rawBody }) => rawBody.includes('Summarize this conversation'), { text: SUMMARY })

    const { status, json, data } = await post('', {
      model,
      input: [...CONVERSATION, { type: 'compaction_trigger' }],
      store: false,
      ...form,
    })

    expect(status).toBe(200)
    const events = data.map((text) => JSON.parse(text) as { type: string; item?: object; response?: object })
    const done = events.filter(({ type }) => type === 'response.output_item.done')
    expect(done.map(({ item }) => item)).toEqual(
      form.stream ? [{ type: 'compaction', id: expect.any(String), encrypted_content: expect.any(String) }] : [],
    )
    const response = form.stream ? events.at(-1)!.response : json
    expect(response).toMatchObject({ status: 'completed', output: [{ type: 'compaction' }], model })
    if (form.stream) expect(events.at(-1)!.type).toBe('response.completed')
    expect(settled()).toBe(1)
  })

  it('is not replaced by an empty summary', async () => {
    upstream.when(({ path }) => path.endsWith('/compact'), { status: 404, body: { error: { message: 'Not found' } } })
    upstream.when(({ rawBody }) => rawBody.includes('Summarize'), { text: '', finish: 'length' })

    const { status } = await post('/compact', { model, input: CONVERSATION })

    expect(status).toBeGreaterThanOrEqual(500)
  })
})

describe('the compaction of OpenAI', () => {
  const compact = async () =>
    post('/compact', { model: 'gpt-4o', input: CONVERSATION.toSpliced(1, 1), instructions: 'Be brief.' })

  it('is forwarded, and billed by its usage', async () => {
    upstream.next({ usage: { prompt_tokens: 100, completion_tokens: 20 } })

    const { status, json } = await compact()

    expect([status, json]).toMatchObject([200, { id: 'resp_fake_1', output: [{}, { id: 'cmp_fake_1' }] }])
    const { path, body } = upstream.requests.at(-1)!
    expect(path).toBe('/v1/responses/compact')
    expect(body).toEqual({ model: 'gpt-4o', input: CONVERSATION.toSpliced(1, 1), instructions: 'Be brief.' })
    expect(gateway.credit.settled[0]!.usage).toMatchObject({ input: 100, output: 20 })

    const next = await post('', { model: 'gpt-4o', input: [...json.output, { role: 'user', content: 'And now?' }] })
    expect(next.status).toBe(200)
    expect(upstream.requests.at(-1)!.body).toMatchObject({ input: [{ role: 'user' }, { type: 'compaction' }, {}] })
  })

  it('is not sent to another provider', async () => {
    const { json } = await compact()

    const { status, json: rejected } = await post('', { model: 'claude-sonnet-4-5', input: json.output })

    expect([status, rejected.error.message]).toEqual([400, expect.stringContaining('only it can read it')])
    expect(upstream.requests).toHaveLength(1)
  })
})

it('compacts a stored thread', async () => {
  upstream.next({ text: 'High in Brest.' })
  const first = await post('', { model: 'claude-sonnet-4-5', input: 'How is the tide?' })
  upstream.next({ text: SUMMARY })

  const { json } = await post('/compact', { model: 'claude-sonnet-4-5', previous_response_id: first.json.id })

  expect(json.output.map(({ type }: { type: string }) => type)).toEqual(['message', 'compaction'])
  expect(lastBody()).toMatch(/How is the tide\?.*High in Brest\./)
})

it('rejects a compaction without a conversation', async () => {
  const { status } = await post('/compact', { model: 'gpt-4o' })

  expect(status).toBe(400)
})
