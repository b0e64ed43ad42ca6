import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from '../support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../support/gateway.ts'

const MODEL = 'gpt-5'

let first: FakeUpstream
let second: FakeUpstream
let gateway: TestGateway
beforeEach(async () => {
  first = await fakeUpstream()
  second = await fakeUpstream()
  gateway = await startGateway({ channels: both(), settings: { RetryTimes: 1 } })
})
afterEach(async () => {
  await gateway.close()
  await first.close()
  await second.close()
})

const channel = (id: number) => aChannel({ id, type: 1, baseUrl: (id === 1 ? first : second).url, models: [MODEL] })
const both = () => [{ ...channel(1), priority: 1 }, channel(2)]

const post = (input: unknown, fields: object = {}, path = '') =>
  gateway.send({
    method: 'POST',
    path: `/v1/responses${path}`,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, input, ...fields }),
  })
const STATELESS = { store: false, include: ['reasoning.encrypted_content'] }
const question = { role: 'user', content: 'How is the tide?' }
interface Item {
  readonly type: string
  readonly encrypted_content?: string
}
const sentTo = (upstream: FakeUpstream) => (upstream.requests.at(-1)!.body as { input: Item[] }).input

describe.each([{ stream: false }, { stream: true }])('encrypted reasoning of a response with %o', (form) => {
  /** The output of a response with reasoning, and what the provider encrypted. */
  async function think() {
    first.next({ text: 'High.', reasoning: 'The moon.', reasoningSignature: 'sealed+by/first==' })
    const { json, data } = await post([question], { ...STATELESS, ...form })
    const output = form.stream
      ? (JSON.parse(data.at(-1)!) as { response: { output: Item[] } }).response.output
      : (json.output as Item[])
    return { output, data }
  }

  it('goes back to the channel that produced it, unchanged', async () => {
    const { output } = await think()

    const { status } = await post([question, ...output, question], STATELESS)

    expect(status).toBe(200)
    expect(first.requests).toHaveLength(2)
    expect(sentTo(first)[1]).toMatchObject({ type: 'reasoning', encrypted_content: 'sealed+by/first==' })
  })

  it('is never sent to another channel', async () => {
    const { output, data } = await think()
    expect(output[0]!.encrypted_content).toContain('sealed+by/first==')
    gateway.setChannels([channel(2)])

    const { status } = await post([question, ...output, question], STATELESS)

    expect(status).toBe(200)
    expect(second.requests).toHaveLength(1)
    expect(sentTo(second).map(({ type }) => type ?? 'message')).toEqual(['message', 'message', 'message'])
    expect(second.requests[0]!.rawBody.includes('sealed+by/first==')).toBe(false)
    if (form.stream) {
      const values = data.join('').match(/"encrypted_content":"[^"]*sealed[^"]*"/g)!
      expect(new Set(values).size).toBe(1)
    }
  })

  it('is not sent to another channel by a site that forwards bodies unchanged', async () => {
    const { output } = await think()
    await gateway.close()
    gateway = await startGateway({
      channels: [channel(2)],
      settings: { RetryTimes: 0, 'global.pass_through_request_enabled': true },
    })

    await post([question, ...output, question], STATELESS)

    expect(second.requests[0]!.rawBody.includes('sealed+by/first==')).toBe(false)
  })
})

describe('a compaction item of a provider', () => {
  it('goes to the channel that made it, also if another one comes first', async () => {
    const { json } = await post([question], {}, '/compact')
    gateway.setChannels([channel(1), { ...channel(2), priority: 1 }])

    const { status } = await post([...json.output, question], { store: false })

    expect(status).toBe(200)
    expect(second.requests).toHaveLength(0)
    expect(first.requests).toHaveLength(2)
  })

  it('is rejected if that channel is gone', async () => {
    const { json } = await post([question], {}, '/compact')
    gateway.setChannels([channel(2)])

    const { status, json: rejected } = await post([...json.output, question], { store: false })

    expect([status, rejected.error.message]).toEqual([400, expect.stringContaining('only the account that made')])
    expect(second.requests).toHaveLength(0)
  })
})

it('forwards encrypted content that the gateway does not know', async () => {
  first.next({ text: 'High.' })
  const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'from elsewhere' }

  await post([question, item, { role: 'assistant', content: 'High.' }, question], STATELESS)

  expect(first.requests[0]!.rawBody.includes('from elsewhere')).toBe(true)
})
