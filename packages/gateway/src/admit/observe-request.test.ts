import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ModelRequestEvent } from '../ports/index.ts'
import { aChannel } from '../../test/support/catalog.ts'
import { startGateway, type TestGateway } from '../../test/support/gateway.ts'

let upstream: FakeUpstream
let gateway: TestGateway
const start = async (settings: Parameters<typeof startGateway>[0]['settings'] = {}) => {
  gateway = await startGateway({ channels: [aChannel({ baseUrl: upstream.url })], settings })
}
beforeEach(async () => {
  upstream = await fakeUpstream()
})
afterEach(async () => {
  await gateway.close()
  await upstream.close()
})

const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'good morning' }] }
const events = () => gateway.events.filter((event): event is ModelRequestEvent => event.kind === 'model-request')

describe('the event of a conversation', () => {
  it('has the result and the time of every step', async () => {
    await start()

    await gateway.chat({ ...chat, stream: true })

    expect(events()).toMatchObject([
      { requestId: 'req-1', model: 'gpt-4o', outcome: 'served', stream: true, dialect: 'openai-chat' },
    ])
    const [{ attempts, timing, firstTokenMs, inputTokens, outputTokens }] = events() as [ModelRequestEvent]
    expect(attempts).toMatchObject([{ channel: 1 }])
    expect(Object.keys(timing)).toEqual(['authenticate', 'prompt', 'route', 'credit'])
    expect(firstTokenMs).toBeGreaterThanOrEqual(0)
    expect(inputTokens + outputTokens).toBeGreaterThan(0)
    expect(gateway.credit.settled[0]!.log.other).toMatchObject({ timing })
  })

  it('reports a failure when no channel could serve the request', async () => {
    upstream.next({ status: 500, body: { error: { message: 'down' } } })
    await start({ RetryTimes: 0 })

    await gateway.chat(chat)

    expect(events()).toMatchObject([{ model: 'gpt-4o', outcome: 'failed', attempts: [] }])
  })

  it.each([
    ['a model that does not exist', { ...chat, model: 'nonsense' }],
    ['a call its provider finds mistaken', { ...chat, max_tokens: -1 }],
    ['a call without a question', { model: 'gpt-4o' }],
  ])('is not emitted for %s', async (_name, body) => {
    upstream.next({ status: 400, body: { error: { message: 'mistaken' } } })
    await start({ RetryTimes: 0 })

    const { status } = await gateway.chat(body)

    expect(status).toBeGreaterThanOrEqual(400)
    expect(events()).toEqual([])
  })
})

describe('the content of a request', () => {
  it.each([true, false])('is recorded when the operator enables that (stream: %s)', async (stream) => {
    upstream.next({ text: 'The tide is in.' })
    await start({ LogChatContentEnabled: true })

    await gateway.chat({ ...chat, stream, messages: [{ role: 'system', content: 'be brief' }, ...chat.messages] })

    expect(gateway.contents).toEqual([
      {
        requestId: 'req-1',
        userId: 7,
        systemPrompt: 'be brief',
        context: '',
        input: 'good morning',
        output: 'The tide is in.',
      },
    ])
  })

  it('is not recorded by default', async () => {
    await start()

    await gateway.chat(chat)

    expect(gateway.contents).toEqual([])
  })
})
