import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { aChannel } from './support/catalog.ts'
import { startGateway, type TestGateway } from './support/gateway.ts'

const HIDDEN = 60_000
const FOR_A_MOMENT = { 'billing.disconnect_read_seconds': 0.05 }

let upstream: FakeUpstream
let gateway: TestGateway
beforeEach(async () => {
  upstream = await fakeUpstream()
  gateway = await start()
})
afterEach(async () => {
  expect(gateway.credit.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
  await upstream.close()
})

function start(settings: object = {}): Promise<TestGateway> {
  const models = ['gpt-5', 'gpt-4o']
  const channels = [1, 2].map((id) => aChannel({ id, baseUrl: upstream.url, models, priority: -id }))
  return startGateway({ channels, settings: { RetryTimes: 3, ...settings } })
}

const chat = { model: 'gpt-5', stream: true, messages: [{ role: 'user', content: 'Why does the tide turn?' }] }
const settlement = async () => {
  await expect.poll(() => gateway.credit.states()).toEqual(['settled'])
  return gateway.credit.settled[0]!
}

/** Sends a request and disconnects when the provider has received it. */
async function disconnectEarly(body: object): Promise<void> {
  const opening = gateway.open(body).catch(() => undefined)
  await expect.poll(() => upstream.requests.length).toBe(1)
  gateway.dropClients()
  await opening
}

it('bills hidden reasoning of a stream whose client disconnects', async () => {
  upstream.next({ text: 'The answer is 42, as ever.', hiddenReasoning: HIDDEN, betweenEventsMs: 20 })
  const { response, disconnect } = await gateway.open(chat)
  await once(response, 'data')
  disconnect()

  const { usage, log } = await settlement()

  expect(usage).toMatchObject({ reasoning: HIDDEN, estimated: false })
  expect(log.other).toMatchObject({ client_disconnected: true })
})

it('bills a whole response whose client disconnects before it', async () => {
  const gone = Promise.withResolvers<void>()
  upstream.next({ text: 'The answer is 42.', headersAfter: gone.promise })
  await disconnectEarly({ ...chat, model: 'gpt-4o', stream: false })
  gone.resolve()

  const { usage, log } = await settlement()

  expect(usage).toMatchObject({ output: 5, estimated: false })
  expect(log.other).toMatchObject({ client_disconnected: true })
})

it.each([{ stream: true }, { stream: false }])(
  'bills the prompt when the client disconnects from a provider that does not respond, $stream',
  async ({ stream }) => {
    await gateway.close()
    gateway = await start(FOR_A_MOMENT)
    upstream.next({ hang: true })
    await disconnectEarly({ ...chat, stream })

    const { usage, receipt, log } = await settlement()

    await upstream.aborted(1)
    expect(usage).toMatchObject({ output: 0, estimated: true })
    expect(usage.input).toBeGreaterThan(5)
    expect(receipt.quota).toBeGreaterThan(0)
    expect(log.channelId).toBe(1)
    expect(log.other).toMatchObject({ client_disconnected: true })
    expect(upstream.requests).toHaveLength(1)
  },
)

it('bills nothing when the provider fails after the client disconnected, and tries no other channel', async () => {
  const gone = Promise.withResolvers<void>()
  upstream.always({ status: 500, headersAfter: gone.promise })
  await disconnectEarly(chat)
  gone.resolve()

  await expect.poll(() => gateway.credit.states()).toEqual(['released'])
  expect(upstream.requests).toHaveLength(1)
})

it('aborts a stream without hidden reasoning as soon as its client disconnects', async () => {
  upstream.next({ text: 'the tide comes in '.repeat(1000), betweenEventsMs: 5 })
  const { response, disconnect } = await gateway.open({ ...chat, model: 'gpt-4o' })
  await once(response, 'data')
  disconnect()

  const { sent } = await upstream.aborted(1)
  const { usage } = await settlement()

  expect(sent.events).toBeLessThan(500)
  expect(usage.output).toBeGreaterThan(0)
})

it('does not wait for the usage of disconnected clients when the process stops', async () => {
  upstream.next({ hang: true })
  await disconnectEarly(chat)

  await gateway.gateway.drain(0)

  expect((await settlement()).usage.output).toBe(0)
})
