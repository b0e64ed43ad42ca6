import type { Script } from '@tidegate/testing'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendChat, type ChatResponse } from './send-chat.ts'
import { PROTOCOL_NAMES, type ProtocolName } from './protocols.ts'
import { requestCounts, site, type FakeProvider } from './site.ts'

/** In descending priority, each with another protocol: a retry must translate for any client. */
let first: FakeProvider
let second: FakeProvider
let third: FakeProvider

const TOPICS = ['times', 'final', 'moved', 'codes', 'all', 'straight', 'forced', 'early', 'late', 'empty'] as const
type Topic = (typeof TOPICS)[number]
/** Failures are counted per model: a model per test keeps their circuits apart. */
const modelFor = (topic: Topic, protocol: ProtocolName) => `r-${topic}-${protocol}`

const DOWN: Script = { status: 500 }
const NO_RETRIES = {
  RetryTimes: 0,
  'global.auto_retry_enabled': false,
  'global.auto_retry_force_channel_switch': false,
}

/** When another channel is tried: the same rules for clients of every protocol. */
export function retryTests(): void {
  beforeAll(async () => {
    const models = TOPICS.flatMap((topic) => PROTOCOL_NAMES.map((protocol) => modelFor(topic, protocol))).join()
    first = await site.addProvider({ type: 14, models, priority: 9 })
    second = await site.addProvider({ type: 24, models, priority: 5 })
    third = await site.addProvider({ type: 1, models, priority: 1 })
  })
  beforeEach(() => [first, second, third].forEach((provider) => provider.reset()))

  describe('RetryTimes', retryTimes)
  describe('automatic retries', automaticRetries)
  describe('content', content)
}

const calling = (topic: Topic, protocol: ProtocolName, stream = false): Promise<ChatResponse> =>
  sendChat(site, { model: modelFor(topic, protocol), protocol, stream })

function retryTimes(): void {
  it.each(PROTOCOL_NAMES)('is how many more channels are tried for a client of %s', async (protocol) => {
    const withRetryTimes = async (RetryTimes: number) => {
      ;[first, second, third].forEach((provider) => provider.reset())
      first.always(DOWN)
      second.always(DOWN)
      await site.setOptions({ ...NO_RETRIES, RetryTimes })
      const { status, text } = await calling('times', protocol)
      return { status, text, requests: requestCounts(first, second, third) }
    }

    expect(await withRetryTimes(0)).toMatchObject({ status: 500, requests: [1, 0, 0] })
    expect(await withRetryTimes(1)).toMatchObject({ status: 500, requests: [1, 1, 0] })
    expect(await withRetryTimes(2)).toEqual({ status: 200, text: third.requests[0]?.sent.text, requests: [1, 1, 1] })
  })

  it.each(PROTOCOL_NAMES)('does not retry a client error for a client of %s', async (protocol) => {
    await site.setOptions({ ...NO_RETRIES, RetryTimes: 2 })

    first.next({ status: 400 })
    expect(await calling('final', protocol)).toMatchObject({ status: 400 })
    expect(requestCounts(first, second)).toEqual([1, 0])
  })

  it.each(PROTOCOL_NAMES)('retries any other error and a timeout for a client of %s', async (protocol) => {
    await site.setOptions({ ...NO_RETRIES, RetryTimes: 2 })
    const statuses = [307, 404, 408, 422, 429, 503, 504, 524]

    for (const status of statuses) {
      first.next({ status })
      expect(await calling('moved', protocol)).toMatchObject({ status: 200 })
    }
    expect(requestCounts(first, second)).toEqual([statuses.length, statuses.length])
  })
}

function automaticRetries(): void {
  const AUTO = { ...NO_RETRIES, 'global.auto_retry_enabled': true, 'global.auto_retry_count': 2 }

  it.each(PROTOCOL_NAMES)('follow the status codes, with an x anywhere, for a client of %s', async (protocol) => {
    await site.setOptions({ ...AUTO, 'global.auto_retry_status_codes': '5x9,x18,42x' })
    const statusAfter = async (status: number) => {
      first.next({ status })
      return (await calling('codes', protocol)).status
    }

    for (const status of [529, 418, 518, 422]) expect([status, await statusAfter(status)]).toEqual([status, 200])
    for (const status of [404, 500]) expect([status, await statusAfter(status)]).toEqual([status, status])
    expect(requestCounts(first, second, third)).toEqual([6, 4, 0])
  })

  it.each(PROTOCOL_NAMES)(
    'follow any error but a timeout if no codes are set, as often as configured, for a client of %s',
    async (protocol) => {
      await site.setOptions({ ...AUTO, 'global.auto_retry_status_codes': '' })

      first.next({ status: 504 })
      expect(await calling('all', protocol)).toMatchObject({ status: 504 })
      first.next({ status: 404 }, { status: 404 })
      second.next({ status: 418 }, { status: 418 })
      expect(await calling('all', protocol)).toMatchObject({ status: 200 })
      third.next({ status: 422 })
      expect(await calling('all', protocol)).toMatchObject({ status: 422 })
      expect(requestCounts(first, second, third)).toEqual([3, 2, 2])
    },
  )

  it.each(PROTOCOL_NAMES)('skip a priority when switching is forced, for a client of %s', async (protocol) => {
    first.always(DOWN)

    await site.setOptions({ ...AUTO, 'global.auto_retry_status_codes': '5xx' })
    expect(await calling('straight', protocol)).toMatchObject({ status: 200 })
    expect(requestCounts(first, second, third)).toEqual([1, 1, 0])
    await site.setOptions({ 'global.auto_retry_force_channel_switch': true })
    expect(await calling('forced', protocol)).toMatchObject({ status: 200 })
    expect(requestCounts(first, second, third)).toEqual([2, 1, 1])
  })

  it('try no channel twice while another was not tried', async () => {
    const models = PROTOCOL_NAMES.map((protocol) => `r-once-${protocol}`).join()
    const all = await site.addProviders(
      { models, priority: 5 },
      { models, priority: 5, weight: 100 },
      { models, priority: 1 },
      { models, priority: 1, weight: 100 },
    )
    all.forEach((provider) => provider.always(DOWN))
    const requestsBy = async (protocol: ProtocolName) => {
      const before = requestCounts(...all)
      await sendChat(site, { model: `r-once-${protocol}`, protocol })
      return requestCounts(...all).map((times, at) => times - before[at]!)
    }

    await site.setOptions({ ...AUTO, 'global.auto_retry_status_codes': '5xx', 'global.auto_retry_count': 3 })
    for (const protocol of PROTOCOL_NAMES) expect(await requestsBy(protocol)).toEqual([1, 1, 1, 1])
    await site.setOptions({ 'global.auto_retry_count': 5 })
    expect((await requestsBy('chat')).toSorted((a, b) => a - b)).toEqual([1, 1, 2, 2])
  })
}

function content(): void {
  beforeAll(() => site.setOptions({ ...NO_RETRIES, RetryTimes: 2 }))

  it.each(PROTOCOL_NAMES)('allows another channel until it has started, in a stream of %s', async (protocol) => {
    first.next({ errorEvent: { afterEvents: 2, status: 529 } })
    second.next({ cut: { afterEvents: 0 } })

    const response = await calling('early', protocol, true)

    expect(response).toMatchObject({ status: 200, brokeOff: false })
    expect(response.text).toBe(third.requests[0]?.sent.text)
    expect(requestCounts(first, second, third)).toEqual([1, 1, 1])
  })

  it.each(PROTOCOL_NAMES)(
    'is never repeated by another channel once it has started, in a stream of %s',
    async (protocol) => {
      first.next({ textLength: 2000, cut: { afterEvents: 20 } })

      const response = await calling('late', protocol, true)

      expect(response).toMatchObject({ status: 200, brokeOff: true })
      expect(response.text).not.toBe('')
      expect(first.requests[0]!.sent.text.startsWith(response.text)).toBe(true)
      expect(requestCounts(first, second, third)).toEqual([1, 0, 0])
    },
  )

  it.each(PROTOCOL_NAMES)(
    'may be missing from a response with a finish reason without making it a failure, for %s',
    async (protocol) => {
      first.always({ text: '' })

      const whole = await calling('empty', protocol)
      const streamed = await calling('empty', protocol, true)

      expect([whole, streamed].map(({ status, text }) => [status, text])).toEqual([
        [200, ''],
        [200, ''],
      ])
      expect(requestCounts(first, second)).toEqual([2, 0])
    },
  )
}
