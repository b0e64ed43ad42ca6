import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from '../support/catalog.ts'
import { KEY, startGateway, type TestResponse, type TestGateway } from '../support/gateway.ts'

const OTHER_USER = 'sk-otheruserotheruserotheruser'
const OTHER_TOKEN = 'sk-othertokenothertokenothert'
const NOT_FOUND = { type: 'invalid_request_error', param: 'previous_response_id', code: 'previous_response_not_found' }

let upstream: FakeUpstream
let gateway: TestGateway
const channels = () => {
  const models = ['gpt-4o', 'gpt-4o-mini']
  return [
    aChannel({ id: 1, baseUrl: upstream.url, models, keys: ['one'] }),
    aChannel({ id: 2, baseUrl: upstream.url, models, keys: ['two-a', 'two-b', 'two-c'] }),
  ]
}
const only = (...keys: string[]) =>
  channels().flatMap((channel) => {
    const left = channel.keys.filter((key) => keys.includes(key))
    return left.length > 0 ? [{ ...channel, keys: left }] : []
  })

beforeEach(async () => {
  upstream = await fakeUpstream()
  gateway = await startGateway({
    channels: channels(),
    settings: { RetryTimes: 2 },
    otherCallers: { [OTHER_USER]: { userId: 8, tokenId: 80 }, [OTHER_TOKEN]: { tokenId: 71 } },
  })
})
afterEach(async () => {
  expect(gateway.credit.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
  await upstream.close()
})

const post = (body: string, key = KEY, headers: Record<string, string> = {}) =>
  gateway.send({
    method: 'POST',
    path: '/v1/responses',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body,
  })
const respond = (fields: object = {}, key = KEY, headers: Record<string, string> = {}) =>
  post(JSON.stringify({ model: 'gpt-4o', input: 'hi', ...fields }), key, headers)
const after = (previous_response_id: string, fields: object = {}, key = KEY) =>
  respond({ previous_response_id, ...fields }, key)

const idOf = ({ json, data }: TestResponse): string =>
  (json?.id ?? (JSON.parse(data.at(-1)!) as { response: { id: string } }).response.id) as string
/** The channel keys that were used, in order. */
const keysUsed = () => upstream.requests.map(({ headers }) => headers.authorization!.replace('Bearer ', ''))
const lastKey = () => keysUsed().at(-1)!

describe.each([{ stream: false }, { stream: true }])('a stored response with %o', (form) => {
  it('is continued by the channel key that produced it', async () => {
    const keys = new Set<string>()
    for (let start = 0; start < 8; start += 1) {
      const id = idOf(await respond(form))
      const key = lastKey()
      keys.add(key)
      const statuses = []
      for (let turn = 0; turn < 4; turn += 1) statuses.push((await after(id, form)).status)
      expect(statuses).toEqual([200, 200, 200, 200])
      expect(keysUsed().slice(-4)).toEqual([key, key, key, key])
    }
    expect(keys.size).toBeGreaterThan(1)
  })

  it('can be continued repeatedly, with another model and another token of the user', async () => {
    let id = idOf(await respond(form))
    const key = lastKey()
    for (const fields of [{}, { model: 'gpt-4o-mini' }, {}]) id = idOf(await after(id, { ...form, ...fields }))

    const response = await after(id, form, OTHER_TOKEN)

    expect(response.status).toBe(200)
    expect(new Set(keysUsed())).toEqual(new Set([key]))
  })

  it("does not exist for another user, with the provider's message", async () => {
    const id = idOf(await respond(form))
    const before = gateway.credit.entries.length

    const rejected = await after(id, form, OTHER_USER)

    expect(rejected.status).toBe(400)
    expect(rejected.json.error).toMatchObject(NOT_FOUND)
    expect(rejected.json.error.message).toContain(`Previous response with id '${id}' not found.`)
    expect(upstream.requests).toHaveLength(1)
    expect(gateway.credit.entries).toHaveLength(before)
  })
})

describe('the account of a stored response', () => {
  it('is the only one that is retried', async () => {
    const id = idOf(await respond())
    const key = lastKey()
    upstream.next({ status: 500 }, { status: 500 })

    expect((await after(id)).status).toBe(200)

    expect(keysUsed()).toEqual([key, key, key, key])
  })

  it('is required while its circuit is open', async () => {
    const id = idOf(await respond())
    upstream.always({ status: 429, headers: { 'retry-after': '30' } })
    await after(id)
    const before = upstream.requests.length

    const rejected = await after(id)

    expect([rejected.status, rejected.code]).toEqual([503, 'channels_cooling_down'])
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0)
    expect(upstream.requests).toHaveLength(before)
  })

  it.each([
    [
      'its channel is disabled',
      (key: string) => channels().map((one) => ({ ...one, enabled: !one.keys.includes(key) })),
    ],
    ['its key is removed', (key: string) => only(...['one', 'two-a', 'two-b', 'two-c'].filter((one) => one !== key))],
    [
      'its channel no longer serves the model',
      (key: string) => channels().map((one) => (one.keys.includes(key) ? { ...one, models: ['other'] } : one)),
    ],
  ])('rejects the request when %s', async (_, changed) => {
    const id = idOf(await respond())
    const key = lastKey()
    gateway.setChannels(changed(key))

    const rejected = await after(id)
    gateway.setChannels(channels())
    const accepted = await after(id)

    expect([rejected.status, rejected.code]).toEqual([400, 'stored_response_unavailable'])
    expect(accepted.status).toBe(200)
    expect(keysUsed()).toEqual([key, key])
  })

  it('has precedence over the session that the client names', async () => {
    gateway.setChannels(only('one'))
    const id = idOf(await respond())
    gateway.setChannels(only('two-a'))
    await respond({}, KEY, { 'x-session-id': 'session' })
    gateway.setChannels(channels())

    const response = await respond({ previous_response_id: id }, KEY, { 'x-session-id': 'session' })

    expect(response.status).toBe(200)
    expect(keysUsed()).toEqual(['one', 'two-a', 'one'])
  })
})

describe('an id that the gateway does not know', () => {
  it('is forwarded, and the provider decides', async () => {
    const response = await after('resp_from_before_a_restart')

    expect([response.status, response.json.error.code]).toEqual([400, 'previous_response_not_found'])
    expect(upstream.requests).toHaveLength(1)
  })

  it('belongs to a response that was not stored', async () => {
    const id = idOf(await respond({ store: false }))

    await after(id, {}, OTHER_USER)

    expect(upstream.requests).toHaveLength(2)
  })
})

it('sends one previous_response_id to the provider when the body names two', async () => {
  const victims = idOf(await respond())
  const own = idOf(await respond({}, OTHER_USER))
  const bodies = [
    `{"model":"gpt-4o","input":"hi","previous_response_id":"${victims}","previous_response_id":"${own}"}`,
    `{"model":"gpt-4o","input":"hi","previous\\u005fresponse_id":"${victims}","previous_response_id":"${own}"}`,
  ]

  for (const body of bodies) await post(body, OTHER_USER)

  expect(upstream.requests).toHaveLength(4)
  for (const { rawBody } of upstream.requests.slice(2)) {
    expect(rawBody.toString()).not.toContain(victims)
    expect(rawBody.toString()).toContain(own)
  }
})

describe.each([['conv_1'], [{ id: 'conv_1' }]])('a stored conversation %o', (conversation) => {
  it('stays with the account and the user that used it first', async () => {
    const statuses = []
    for (let turn = 0; turn < 6; turn += 1) statuses.push((await respond({ conversation })).status)

    const rejected = await respond({ conversation }, OTHER_USER)

    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(new Set(keysUsed()).size).toBe(1)
    expect(rejected.status).toBe(404)
    expect(rejected.json.error).toMatchObject({ type: 'invalid_request_error' })
    expect(rejected.json.error.message).toContain("Conversation with id 'conv_1' not found.")
    expect(upstream.requests).toHaveLength(6)
  })
})
