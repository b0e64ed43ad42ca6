import { beforeAll, it } from 'vitest'
import { call, callMany, type Answer } from './send-chat.ts'
import { asked, site } from './site.ts'

/** Longer than the first pause of a channel, which is five seconds, on a busy machine. */
const RECOVERED = { timeout: 25_000, interval: 200 }
const COOLING = { status: 503, code: 'channels_cooling_down' }
const CALLS_AT_ONCE = 12

/** What keeps calls away from a channel that fails, and how it comes back. Those who wait do so together. */
export function breakerTests(): void {
  beforeAll(() => site.setOptions({ RetryTimes: 0, 'global.auto_retry_enabled': false }))

  it.concurrent('opens after five failures of two users, lets one of many calls try, and closes when it was served', async ({
    expect,
  }) => {
    const vendor = await site.addVendor({ models: 'm-broken,m-sound' })
    vendor.when(isFor('m-broken'), { status: 500 })
    const calling = () => call(site, { model: 'm-broken' })
    const { key } = await site.addUser('also-broken')

    for (let times = 0; times < 4; times += 1) expect(await calling()).toMatchObject({ status: 500 })
    expect(await call({ url: site.url, key }, { model: 'm-broken' })).toMatchObject({ status: 500 })
    const refused = await callMany(site, 10, { model: 'm-broken' })
    expect(refused.filter(({ status, code }) => status === 503 && code === COOLING.code)).toHaveLength(10)
    expect(refused.every(({ retryAfterSeconds = 0 }) => retryAfterSeconds >= 1 && retryAfterSeconds <= 5)).toBe(true)
    expect(asked(vendor)).toEqual([5])
    expect(await call(site, { model: 'm-sound' })).toMatchObject({ status: 200 })

    // The vendor is well again, and slow enough for all calls to come while the first is under way.
    vendor.reset()
    vendor.when(isFor('m-broken'), { headersAfterMs: 2_500 })
    let answers: Answer[] = []
    const servedInBurst = async () => {
      answers = await Promise.all(Array.from({ length: CALLS_AT_ONCE }, calling))
      return answers.filter(({ status }) => status === 200).length
    }
    await expect.poll(servedInBurst, RECOVERED).toBe(1)
    expect(answers.filter(({ code }) => code === COOLING.code)).toHaveLength(CALLS_AT_ONCE - 1)
    expect(answers.every(({ message }) => message === '' || message.includes('m-broken'))).toBe(true)
    expect(asked(vendor)).toEqual([1])

    vendor.reset()
    const after = await callMany(site, 20, { model: 'm-broken' })
    expect(after.filter(({ status }) => status !== 200)).toEqual([])
  })

  it.concurrent('rests for as long as a vendor wishes, while others serve', async ({ expect }) => {
    const limited = await site.addVendor({ models: 'm-limited,m-shared', priority: 9 })
    const other = await site.addVendor({ models: 'm-shared' })
    limited.when(isFor('m-limited'), { status: 429, headers: { 'retry-after': '3' } }, {})
    limited.when(isFor('m-shared'), { status: 429, headers: { 'retry-after': '600' } })

    expect(await call(site, { model: 'm-limited' })).toMatchObject({ status: 429, retryAfterSeconds: 3 })
    expect(await call(site, { model: 'm-limited' })).toMatchObject(COOLING)
    expect(await call(site, { model: 'm-shared' })).toMatchObject({ status: 429 })
    const shared = await callMany(site, 10, { model: 'm-shared' })
    expect(shared.every(({ status }) => status === 200)).toBe(true)
    expect(asked(limited, other)).toEqual([2, 10])

    await expect.poll(async () => (await call(site, { model: 'm-limited' })).status, RECOVERED).toBe(200)
  })

  it.concurrent('takes out only the key that a vendor refuses', async ({ expect }) => {
    const vendor = await site.addVendor({ models: 'm-refused,m-also', key: 'key-bad,key-good', auto_ban: 0 })
    vendor.when(({ headers }) => headers.authorization === 'Bearer key-bad', { status: 401 })

    expect(await call(site, { model: 'm-refused' })).toMatchObject({ status: 503, code: 'upstream_account_error' })
    const served = [
      ...(await callMany(site, 10, { model: 'm-refused' })),
      ...(await callMany(site, 10, { model: 'm-also' })),
    ]

    expect(served.every(({ status }) => status === 200)).toBe(true)
    const keys = vendor.requests.map(({ headers }) => headers.authorization)
    expect(keys).toEqual(['Bearer key-bad', ...Array(20).fill('Bearer key-good')])
  })

  it.concurrent('does not mind the faults of clients', async ({ expect }) => {
    const vendor = await site.addVendor({ models: 'm-clients' })
    const faults = [400, 404, 413, 422].flatMap((status) => [status, status, status])
    vendor.next(...faults.map((status) => ({ status })))

    for (const status of faults) expect(await call(site, { model: 'm-clients' })).toMatchObject({ status })
    expect(await call(site, { model: 'm-clients' })).toMatchObject({ status: 200 })
    expect(asked(vendor)).toEqual([faults.length + 1])
  })
}

function isFor(model: string) {
  return ({ rawBody }: { rawBody: Buffer }) => rawBody.includes(`"${model}"`)
}
