import { beforeAll, it } from 'vitest'
import { sendChat, sendMany, type ChatResponse } from './send-chat.ts'
import { requestCounts, site } from './site.ts'

/** Longer than the first cooldown of a channel, which is five seconds, on a busy machine. */
const RECOVERED = { timeout: 25_000, interval: 200 }
const COOLING = { status: 503, code: 'channels_cooling_down' }
const CONCURRENCY = 12

/** When a failing channel is skipped, and how it recovers. Tests that wait run concurrently. */
export function breakerTests(): void {
  beforeAll(() => site.setOptions({ RetryTimes: 0, 'global.auto_retry_enabled': false }))

  it.concurrent('opens after five failures of two users, lets one of many requests through, and closes when it succeeds', async ({
    expect,
  }) => {
    const provider = await site.addProvider({ models: 'm-broken,m-sound' })
    provider.when(isFor('m-broken'), { status: 500 })
    const calling = () => sendChat(site, { model: 'm-broken' })
    const { key } = await site.addUser('also-broken')

    for (let times = 0; times < 4; times += 1) expect(await calling()).toMatchObject({ status: 500 })
    expect(await sendChat({ url: site.url, key }, { model: 'm-broken' })).toMatchObject({ status: 500 })
    const rejected = await sendMany(site, 10, { model: 'm-broken' })
    expect(rejected.filter(({ status, code }) => status === 503 && code === COOLING.code)).toHaveLength(10)
    expect(rejected.every(({ retryAfterSeconds = 0 }) => retryAfterSeconds >= 1 && retryAfterSeconds <= 5)).toBe(true)
    expect(requestCounts(provider)).toEqual([5])
    expect(await sendChat(site, { model: 'm-sound' })).toMatchObject({ status: 200 })

    // The provider works again, slowly enough for all requests to arrive during the first.
    provider.reset()
    provider.when(isFor('m-broken'), { headersAfterMs: 2_500 })
    let responses: ChatResponse[] = []
    const servedInBurst = async () => {
      responses = await Promise.all(Array.from({ length: CONCURRENCY }, calling))
      return responses.filter(({ status }) => status === 200).length
    }
    await expect.poll(servedInBurst, RECOVERED).toBe(1)
    expect(responses.filter(({ code }) => code === COOLING.code)).toHaveLength(CONCURRENCY - 1)
    expect(responses.every(({ message }) => message === '' || message.includes('m-broken'))).toBe(true)
    expect(requestCounts(provider)).toEqual([1])

    provider.reset()
    const after = await sendMany(site, 20, { model: 'm-broken' })
    expect(after.filter(({ status }) => status !== 200)).toEqual([])
  })

  it.concurrent('stays open as long as a provider requests, while others serve', async ({ expect }) => {
    const limited = await site.addProvider({ models: 'm-limited,m-shared', priority: 9 })
    const other = await site.addProvider({ models: 'm-shared' })
    limited.when(isFor('m-limited'), { status: 429, headers: { 'retry-after': '3' } }, {})
    limited.when(isFor('m-shared'), { status: 429, headers: { 'retry-after': '600' } })

    expect(await sendChat(site, { model: 'm-limited' })).toMatchObject({ status: 429, retryAfterSeconds: 3 })
    expect(await sendChat(site, { model: 'm-limited' })).toMatchObject(COOLING)
    expect(await sendChat(site, { model: 'm-shared' })).toMatchObject({ status: 429 })
    const shared = await sendMany(site, 10, { model: 'm-shared' })
    expect(shared.every(({ status }) => status === 200)).toBe(true)
    expect(requestCounts(limited, other)).toEqual([2, 10])

    await expect.poll(async () => (await sendChat(site, { model: 'm-limited' })).status, RECOVERED).toBe(200)
  })

  it.concurrent('disables only the key that a provider rejects', async ({ expect }) => {
    const provider = await site.addProvider({ models: 'm-rejected,m-also', key: 'key-bad,key-good', auto_ban: 0 })
    provider.when(({ headers }) => headers.authorization === 'Bearer key-bad', { status: 401 })

    expect(await sendChat(site, { model: 'm-rejected' })).toMatchObject({ status: 503, code: 'upstream_account_error' })
    const served = [
      ...(await sendMany(site, 10, { model: 'm-rejected' })),
      ...(await sendMany(site, 10, { model: 'm-also' })),
    ]

    expect(served.every(({ status }) => status === 200)).toBe(true)
    const keys = provider.requests.map(({ headers }) => headers.authorization)
    expect(keys).toEqual(['Bearer key-bad', ...Array(20).fill('Bearer key-good')])
  })

  it.concurrent('ignores client errors', async ({ expect }) => {
    const provider = await site.addProvider({ models: 'm-clients' })
    const faults = [400, 404, 413, 422].flatMap((status) => [status, status, status])
    provider.next(...faults.map((status) => ({ status })))

    for (const status of faults) expect(await sendChat(site, { model: 'm-clients' })).toMatchObject({ status })
    expect(await sendChat(site, { model: 'm-clients' })).toMatchObject({ status: 200 })
    expect(requestCounts(provider)).toEqual([faults.length + 1])
  })
}

function isFor(model: string) {
  return ({ rawBody }: { rawBody: Buffer }) => rawBody.includes(`"${model}"`)
}
