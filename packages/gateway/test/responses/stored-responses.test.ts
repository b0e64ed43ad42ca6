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
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
const respond = (fields: object, key = KEY) => send('POST', '/v1/responses', key, { input: 'hi', ...fields })
const show = (id: string, key = KEY) => send('GET', `/v1/responses/${id}`, key)

/** The response object, whole or from the last event of a stream. */
const bodyOf = ({ json, data }: TestResponse) =>
  json ?? (JSON.parse(data.at(-1)!) as { response: TestResponse['json'] }).response
const textOf = (response: TestResponse) => bodyOf(response).output.at(-1).content[0].text as string
const lastBody = () => JSON.stringify(upstream.requests.at(-1)!.body)

describe.each(PROVIDERS)('on a channel of $name', ({ model }) => {
  it.each([{ stream: false }, { stream: true }])('continues a thread by previous_response_id with %o', async (form) => {
    await start()
    upstream.next({ text: 'The tide is high.' }, { text: 'Again.' }, { text: 'Done.' })
    const first = bodyOf(await respond({ model, input: 'How is the tide?', ...form }))
    const second = bodyOf(await respond({ model, input: 'Say it again.', previous_response_id: first.id, ...form }))

    const third = await respond({ model, input: 'Stop.', previous_response_id: second.id, ...form })

    expect(third.status).toBe(200)
    expect(textOf(third)).toBe('Done.')
    const stored = await show(bodyOf(third).id)
    expect(stored.json).toMatchObject({
      id: bodyOf(third).id,
      object: 'response',
      status: 'completed',
      store: true,
      previous_response_id: second.id,
      output: bodyOf(third).output,
    })
  })

  it('lists the input of a stored response, and deletes it', async () => {
    await start()
    const input = [1, 2, 3].map((turn) => ({ role: 'user', content: `turn ${turn}` }))
    const { id } = bodyOf(await respond({ model, input }))

    const newest = await send('GET', `/v1/responses/${id}/input_items?limit=2`)
    const rest = await send('GET', `/v1/responses/${id}/input_items?limit=2&after=${newest.json.last_id}`)
    const deleted = await send('DELETE', `/v1/responses/${id}`)

    const contents = (page: TestResponse) => page.json.data.map(({ content }: { content: string }) => content)
    expect([contents(newest), newest.json.has_more]).toEqual([['turn 3', 'turn 2'], true])
    expect([contents(rest), rest.json.has_more]).toEqual([['turn 1'], false])
    expect(deleted.json).toEqual({ id, object: 'response', deleted: true })
    expect((await show(id)).status).toBe(404)
  })

  it('resolves item references', async () => {
    await start()
    upstream.next({ text: 'The tide is high.' })
    const first = bodyOf(await respond({ model, input: 'How is the tide?' }))
    const input = [
      { role: 'user', content: 'How is the tide?' },
      { id: first.output.at(-1).id },
      { role: 'user', content: 'Why?' },
    ]

    const second = await respond({ model, input })

    expect(second.status).toBe(200)
  })
})

describe('a thread', () => {
  it.each(PROVIDERS.slice(1))('that began at $name has the earlier turns in the prompt', async ({ model }) => {
    await start()
    upstream.next({ text: 'The tide is high.' })
    const { id } = bodyOf(await respond({ model, input: 'How is the tide?' }))

    await respond({ model, input: 'Why?', previous_response_id: id })

    expect(lastBody()).toMatch(/How is the tide\?.*The tide is high\..*Why\?/)
  })

  it('continues with a model of another provider, in both directions', async () => {
    await start()
    upstream.next({ text: 'The tide is high.' }, { text: 'The moon.' }, { text: 'Yes.' })
    const first = bodyOf(await respond({ model: 'gpt-4o', input: 'How is the tide?' }))
    const second = bodyOf(
      await respond({
        model: 'claude-sonnet-4-5',
        input: 'Why?',
        previous_response_id: first.id,
        instructions: 'short',
      }),
    )

    const third = await respond({ model: 'gpt-4o', input: 'Sure?', previous_response_id: second.id })

    expect(third.status).toBe(200)
    expect(lastBody()).toMatch(/How is the tide\?.*The tide is high\..*Why\?.*The moon\..*Sure\?/)
    expect(lastBody()).not.toContain('short')
    expect(lastBody()).not.toContain('previous_response_id')
  })

  it('continues with tool calls and their results', async () => {
    await start()
    const tools = [{ type: 'function', name: 'tide', parameters: { type: 'object', properties: {} } }]
    upstream.next({ toolCalls: [{ id: 'call_1', name: 'tide', arguments: '{}' }] }, { text: 'High.' })
    const model = 'claude-sonnet-4-5'
    const first = bodyOf(await respond({ model, input: 'How is the tide?', tools }))
    const input = [{ type: 'function_call_output', call_id: first.output[0].call_id, output: 'high' }]

    const second = await respond({ model, input, tools, previous_response_id: first.id })

    expect(textOf(second)).toBe('High.')
  })

  it('continues from the store when the account of the provider fails', async () => {
    const spare = aChannel({ id: 9, baseUrl: upstream.url, models: ['gpt-4o'], keys: ['spare'], priority: -1 })
    await start({ RetryTimes: 1 })
    gateway.setChannels([...channels(), spare])
    upstream.next({ text: 'The tide is high.' })
    const { id } = bodyOf(await respond({ model: 'gpt-4o', input: 'How is the tide?' }))
    upstream.when(({ headers }) => headers.authorization === 'Bearer key-1', { status: 500 })

    const second = await respond({ model: 'gpt-4o', input: 'Why?', previous_response_id: id })

    expect(second.status).toBe(200)
    expect(upstream.requests.at(-1)!.headers.authorization).toBe('Bearer spare')
    expect(lastBody()).toMatch(/How is the tide\?.*The tide is high\..*Why\?/)
  })

  it('continues after a restart, on the account that stores it', async () => {
    await start()
    const { id } = bodyOf(await respond({ model: 'gpt-4o' }))
    await gateway.close()
    await start()

    const second = await respond({ model: 'gpt-4o', previous_response_id: id })

    expect(second.status).toBe(200)
    expect(upstream.requests.at(-1)!.body).toMatchObject({ previous_response_id: id })
  })

  it('ends where an earlier turn was deleted', async () => {
    await start()
    const first = bodyOf(await respond({ model: 'claude-sonnet-4-5' }))
    const second = bodyOf(await respond({ model: 'claude-sonnet-4-5', previous_response_id: first.id }))
    await send('DELETE', `/v1/responses/${first.id}`)

    const rejected = await respond({ model: 'claude-sonnet-4-5', previous_response_id: second.id })

    expect(rejected.status).toBe(400)
    expect(rejected.json.error).toMatchObject({
      code: 'previous_response_not_found',
      param: 'previous_response_id',
      message: expect.stringContaining(first.id),
    })
  })
})

describe('a stored response of another user', () => {
  it('does not exist', async () => {
    await start()
    const { id, output } = bodyOf(await respond({ model: 'claude-sonnet-4-5' }))
    const before = upstream.requests.length

    const [shown, items, deleted, continued, referenced] = await Promise.all([
      show(id, OTHER_USER),
      send('GET', `/v1/responses/${id}/input_items`, OTHER_USER),
      send('DELETE', `/v1/responses/${id}`, OTHER_USER),
      respond({ model: 'claude-sonnet-4-5', previous_response_id: id }, OTHER_USER),
      respond({ model: 'claude-sonnet-4-5', input: [{ type: 'item_reference', id: output[0].id }] }, OTHER_USER),
    ])

    expect([shown.status, items.status, deleted.status]).toEqual([404, 404, 404])
    expect(shown.json.error).toMatchObject({ type: 'invalid_request_error', param: null, code: null })
    expect([continued.status, continued.json.error.code]).toEqual([400, 'previous_response_not_found'])
    expect(referenced.status).toBe(400)
    expect(upstream.requests).toHaveLength(before)
    expect((await show(id)).status).toBe(200)
  })
})

describe('a response is not stored', () => {
  it.each([
    ['with store: false', { store: false }, {}, KEY],
    ['while the retention is 0 days', {}, { StoredResponseDays: 0 }, KEY],
    ['for an API token that does not allow it', {}, {}, PRIVATE_TOKEN],
  ])('%s', async (_, fields, settings, key) => {
    await start(settings)

    const response = await respond({ model: 'claude-sonnet-4-5', ...fields }, key)

    expect(response.json.store).toBe(false)
    expect(responses.saved).toEqual([])
    expect((await show(response.json.id, key)).status).toBe(404)
  })

  it('by a provider either, for an API token that does not allow it', async () => {
    await start()

    await respond({ model: 'gpt-4o', store: true }, PRIVATE_TOKEN)

    expect(upstream.requests.at(-1)!.body).toMatchObject({ store: false })
  })

  it('when its input is too large, and says so', async () => {
    await start()

    const response = await respond({ model: 'claude-sonnet-4-5', metadata: { note: 'x'.repeat(5_000_000) } })

    expect(response.status).toBe(200)
    expect(response.headers['x-tidegate-not-stored']).toBe('too_large')
    expect(response.json.store).toBe(false)
  })
})
