import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from '../support/catalog.ts'
import { MemoryLimiter } from '../support/limiter.ts'
import { KEY, startGateway, type TestGateway, type TestResponse } from '../support/gateway.ts'
import { MemoryConversations, MemoryResponses } from '../support/responses.ts'

const OTHER_USER = 'sk-otheruserotheruserotheruser'
const PRIVATE_TOKEN = 'sk-privatetokenprivatetokenpriv'
const PROVIDERS = [
  { name: 'openai', type: 1, model: 'gpt-4o' },
  { name: 'anthropic', type: 14, model: 'claude-sonnet-4-5' },
  { name: 'gemini', type: 24, model: 'gemini-2.5-pro' },
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
    limiter: new MemoryLimiter(),
    responses: new MemoryResponses(),
    conversations: new MemoryConversations(),
    otherCallers: {
      [OTHER_USER]: { userId: 8, tokenId: 80 },
      [PRIVATE_TOKEN]: { tokenId: 71, storesResponses: false },
    },
  })
})
afterEach(async () => {
  expect(gateway.credit.mistakes).toEqual([])
  await gateway.close()
  await upstream.close()
})

const send = (method: string, path: string, body?: object, key = KEY) =>
  gateway.send({
    method,
    path: `/v1/${path}`,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
const create = async (body: object = {}) => (await send('POST', 'conversations', body)).json.id as string
const contentsOf = ({ json }: TestResponse) =>
  json.data.map(({ content }: { content: string | { text: string }[] }) =>
    typeof content === 'string' ? content : content[0]!.text,
  )

describe.each(PROVIDERS)('a conversation on a channel of $name', ({ model }) => {
  it.each([{ stream: false }, { stream: true }])('collects the items of its turns with %o', async (form) => {
    const id = await create({ items: [{ role: 'user', content: 'Speak of tides.' }] })
    upstream.next({ text: 'Gladly.' }, { text: 'The tide is high.' })

    await send('POST', 'responses', { model, conversation: id, input: 'Begin.', ...form })
    const second = await send('POST', 'responses', { model, conversation: { id }, input: 'How is it?', ...form })

    expect(second.status).toBe(200)
    expect(JSON.stringify(upstream.requests.at(-1)!.body)).toMatch(/Speak of tides.*Begin.*Gladly.*How is it/)
    const items = await send('GET', `conversations/${id}/items?order=asc`)
    expect(contentsOf(items)).toEqual(['Speak of tides.', 'Begin.', 'Gladly.', 'How is it?', 'The tide is high.'])
  })
})

it('creates, changes and deletes a conversation', async () => {
  const created = await send('POST', 'conversations', { metadata: { topic: 'tides' } })
  const { id } = created.json
  const changed = await send('POST', `conversations/${id}`, { metadata: { topic: 'winds' } })
  const shown = await send('GET', `conversations/${id}`)
  const deleted = await send('DELETE', `conversations/${id}`)
  const gone = await send('GET', `conversations/${id}`)

  expect(created.json).toEqual({
    id: expect.stringMatching(/^conv_/),
    object: 'conversation',
    created_at: expect.any(Number),
    metadata: { topic: 'tides' },
  })
  expect([changed.json, shown.json]).toEqual([1, 2].map(() => ({ ...created.json, metadata: { topic: 'winds' } })))
  expect(deleted.json).toEqual({ id, object: 'conversation.deleted', deleted: true })
  expect([gone.status, gone.json.error.message]).toEqual([404, expect.stringContaining(id)])
})

it('adds, shows and deletes items', async () => {
  const id = await create()
  const items = ['one', 'two'].map((content) => ({ type: 'message', role: 'user', content }))
  const added = await send('POST', `conversations/${id}/items`, { items })
  const [first, second] = added.json.data

  const shown = await send('GET', `conversations/${id}/items/${first.id}`)
  const removed = await send('DELETE', `conversations/${id}/items/${first.id}`)

  expect(shown.json).toEqual({ ...items[0], id: expect.stringMatching(/^msg_/) })
  expect(removed.json).toMatchObject({ id, object: 'conversation' })
  expect((await send('GET', `conversations/${id}/items`)).json.data).toEqual([second])
  expect((await send('GET', `conversations/${id}/items/${first.id}`)).status).toBe(404)
})

it('does not exist for another user', async () => {
  const id = await create({ items: [{ role: 'user', content: 'hi' }] })

  const rejected = await Promise.all([
    send('GET', `conversations/${id}`, undefined, OTHER_USER),
    send('POST', `conversations/${id}`, { metadata: {} }, OTHER_USER),
    send('DELETE', `conversations/${id}`, undefined, OTHER_USER),
    send('GET', `conversations/${id}/items`, undefined, OTHER_USER),
    send('POST', 'responses', { model: 'gpt-4o', input: 'hi', conversation: id }, OTHER_USER),
  ])

  expect(rejected.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  expect(upstream.requests).toEqual([])
})

it.each([
  ['conversations', { items: Array.from({ length: 21 }, () => ({ role: 'user', content: 'hi' })) }],
  ['conversations', { items: [{ content: 'hi' }] }],
  ['conversations', { metadata: { depth: 9 } }],
  ['responses', { model: 'gpt-4o', input: 'hi', conversation: 'conv_1', previous_response_id: 'resp_1' }],
])('rejects an invalid request to %s: %o', async (path, body) => {
  const rejected = await send('POST', path, body)

  expect([rejected.status, rejected.code]).toEqual([400, 'invalid_text_request'])
})

it('creates none for an API token that stores nothing', async () => {
  const rejected = await send('POST', 'conversations', {}, PRIVATE_TOKEN)

  expect([rejected.status, rejected.code]).toEqual([400, 'invalid_text_request'])
})

it('counts requests against the limit of the caller', async () => {
  gateway.setCaller({ rateLimit: { windowSeconds: 3_600, requests: 1, successes: 0 } })
  const id = await create()

  const rejected = await send('POST', `conversations/${id}/items`, { items: [{ role: 'user', content: 'hi' }] })

  expect(rejected.status).toBe(429)
})
