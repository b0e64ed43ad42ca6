import { api } from '@tidegate/contract'
import { addToken } from '@tidegate/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { sendChat, sendMany } from './send-chat.ts'
import { pick } from './protocols.ts'
import { requestCounts, site, type FakeProvider } from './site.ts'

/** Which channel a request goes to. */
export function choiceTests(): void {
  beforeAll(() => site.setOptions({ RetryTimes: 3 }))
  describe('the channels for a request', theChannels)
  describe('the choice among channels', channelChoice)
  describe('a virtual model', aVirtualModel)
  describe('a channel', aChannel)
  describe('a pinned channel', aPinnedChannel)
}

const DOWN = { status: 500 }

function theChannels(): void {
  it('are those of its group', async () => {
    const [common, vip] = await site.addProviders(
      { models: 'm-group', group: 'default' },
      { models: 'm-group,m-vip', group: 'vip' },
    )
    const { secret } = await addToken(site.admin, { group: 'vip' })
    const inVip = { url: site.url, key: secret }

    await sendMany(site, 10, { model: 'm-group' })
    await sendMany(inVip, 10, { model: 'm-group' })

    expect(requestCounts(common, vip)).toEqual([10, 10])
    expect(await sendChat(inVip, { model: 'm-vip' })).toMatchObject({ status: 200 })
    expect(await sendChat(site, { model: 'm-vip' })).toMatchObject({ status: 403, code: 'model_not_in_group' })
  })

  it('are those that list its exact model', async () => {
    const [one, other] = await site.addProviders({ models: 'm-one' }, { models: 'm-other,M-one' })

    await sendMany(site, 10, { model: 'm-one' })

    expect(requestCounts(one, other)).toEqual([10, 0])
    expect(await sendChat(site, { model: 'm-on' })).toMatchObject({ status: 404, code: 'model_not_found' })
  })

  it('are those with the longest matching prefix, also after a failure', async () => {
    const [plain, failures, long] = await site.addProviders(
      { models: 'm-prefix,fast/m-prefix', priority: 9 },
      { models: 'm-prefix,fast/m-prefix', model_prefix: 'acme/', priority: 5 },
      { models: 'm-prefix', model_prefix: 'acme/fast/' },
    )

    await sendMany(site, 5, { model: 'acme/m-prefix' })
    await sendMany(site, 7, { model: 'acme/fast/m-prefix' })
    expect(requestCounts(plain, failures, long)).toEqual([0, 5, 7])
    expect(long.requests.map(({ body }) => pick(body, 'model'))).toEqual(Array(7).fill('m-prefix'))

    long.always(DOWN)
    expect(await sendChat(site, { model: 'acme/fast/m-prefix' })).toMatchObject({ status: 500 })
    expect(requestCounts(plain, failures, long)).toEqual([0, 5, 7 + 4])
  })

  it('are those that accept its prompt length, and it is rejected only when none does', async () => {
    const [small, medium, large] = await site.addProviders(
      { models: 'm-length,m-limited', max_input_tokens: 30, priority: 9 },
      { models: 'm-length,m-limited', max_input_tokens: 300, priority: 5 },
      { models: 'm-length', max_input_tokens: 0 },
    )
    const text = (count: number) => 'tide '.repeat(count)

    await sendMany(site, 3, { model: 'm-length', text: text(5) })
    await sendMany(site, 4, { model: 'm-length', text: text(100) })
    await sendMany(site, 5, { model: 'm-length', text: text(1000) })
    expect(requestCounts(small, medium, large)).toEqual([3, 4, 5])

    expect(await sendChat(site, { model: 'm-limited', text: text(100) })).toMatchObject({ status: 200 })
    expect(await sendChat(site, { model: 'm-limited', text: text(1000) })).toMatchObject({
      status: 400,
      code: 'max_input_tokens_exceeded',
      message: expect.stringContaining('300'),
    })
    expect(requestCounts(small, medium, large)).toEqual([3, 5, 5])
  })
}

function channelChoice(): void {
  it('uses a channel of the highest priority, and one of the next when it fails', async () => {
    const [low, high, middle] = await site.addProviders(
      { models: 'm-priority', priority: -5, weight: 1000 },
      { models: 'm-priority', priority: 7 },
      { models: 'm-priority', priority: 1, weight: 1000 },
    )

    await sendMany(site, 30, { model: 'm-priority' })
    expect(requestCounts(low, high, middle)).toEqual([0, 30, 0])

    high.next(DOWN)
    expect(await sendChat(site, { model: 'm-priority' })).toMatchObject({ status: 200 })
    expect(requestCounts(low, high, middle)).toEqual([0, 31, 1])
  })

  it('follows weights plus ten', async () => {
    const [light, heavy] = await site.addProviders(
      { models: 'm-weight', weight: 0 },
      { models: 'm-weight', weight: 30 },
    )

    await sendMany(site, 300, { model: 'm-weight' })

    expect(requestCounts(light, heavy).reduce((sum, count) => sum + count)).toBe(300)
    expect(light.requests.length).toSatisfy(within(300, 10 / 50))
  })

  it('follows plain weights among channels with a prefix, and is equal without weights', async () => {
    const [weightless, weighty, one, other] = await site.addProviders(
      { models: 'm', model_prefix: 'weighed/', weight: 0, priority: 9 },
      { models: 'm', model_prefix: 'weighed/', weight: 30 },
      { models: 'm', model_prefix: 'equal/', weight: 0, priority: 9 },
      { models: 'm', model_prefix: 'equal/', weight: 0 },
    )

    await sendMany(site, 50, { model: 'weighed/m' })
    await sendMany(site, 60, { model: 'equal/m' })

    expect(requestCounts(weightless, weighty)).toEqual([0, 50])
    expect(one.requests.length + other.requests.length).toBe(60)
    expect(one.requests.length).toSatisfy(within(60, 1 / 2))
  })
}

function aVirtualModel(): void {
  it('uses its best targets in turn, and the next ones when those fail', async () => {
    const [first, second, reserve] = await site.addProviders(
      { models: 'm-first' },
      { models: 'm-second' },
      { models: 'm-reserve' },
    )
    const targets = [
      { model: 'm-reserve', priorities: 1 },
      { model: 'm-first', priorities: 5 },
      { model: 'm-second', priorities: 5 },
    ]
    await site.admin.call(api.updateModelMapping, { body: { mapping: { 'tide-best': targets } } })

    const inTurn: string[] = []
    for (let turn = 0; turn < 6; turn += 1) {
      const before = first.requests.length
      await sendChat(site, { model: 'tide-best' })
      inTurn.push(first.requests.length > before ? 'first' : 'second')
    }
    expect(inTurn).toEqual(['first', 'second', 'first', 'second', 'first', 'second'])
    expect(second.requests.map(({ body }) => pick(body, 'model'))).toEqual(Array(3).fill('m-second'))

    first.next(DOWN)
    second.next(DOWN)
    const response = await sendChat(site, { model: 'tide-best' })
    expect(response).toMatchObject({ status: 200 })
    expect(requestCounts(first, second, reserve)).toEqual([4, 4, 1])
    expect(await site.rowOf(response.requestId)).toMatchObject({ model_name: 'tide-best', channel: reserve.channel.id })
  })
}

function aChannel(): void {
  it('maps names repeatedly and leaves a cycle', async () => {
    const chain = { 'm-chain': 'm-link', 'm-link': 'm-end', 'm-round': 'm-about', 'm-about': 'm-round' }
    const provider = await site.addProvider({ models: 'm-chain,m-round', model_mapping: JSON.stringify(chain) })

    const straight = await sendChat(site, { model: 'm-chain' })
    const round = await sendChat(site, { model: 'm-round' })

    expect([straight.status, round.status]).toEqual([200, 200])
    expect(provider.requests.map(({ body }) => pick(body, 'model'))).toEqual(['m-end', 'm-round'])
  })

  it('uses its keys in turn', async () => {
    const provider = await site.addProvider({ models: 'm-keys', key: 'key-one,key-two\nkey-three' })

    for (let turn = 0; turn < 6; turn += 1) await sendChat(site, { model: 'm-keys' })

    const round = ['Bearer key-one', 'Bearer key-two', 'Bearer key-three']
    expect(provider.requests.map(({ headers }) => headers.authorization)).toEqual([...round, ...round])
  })
}

function aPinnedChannel(): void {
  let likely: FakeProvider
  let pinned: FakeProvider
  let disabled: FakeProvider
  beforeAll(async () => {
    likely = await site.addProvider({ models: 'm-pin', priority: 9 })
    pinned = await site.addProvider({ models: 'm-pin', priority: 1 })
    disabled = await site.addProvider({ models: 'm-pin' })
    await site.admin.call(api.updateChannel, { body: { id: disabled.channel.id, status: 2 } })
  })
  const pinTo = (id: number | string, key = site.key) => ({ url: site.url, key: `${key}-${id}` })

  it.each(['chat', 'messages', 'responses', 'gemini'] as const)(
    'is the only one tried, and once, in a request of %s',
    async (protocol) => {
      const before = { likely: likely.requests.length, pinned: pinned.requests.length }
      pinned.next({}, DOWN)

      const served = await sendChat(pinTo(pinned.channel.id), { model: 'm-pin', protocol })
      const failed = await sendChat(pinTo(pinned.channel.id), { model: 'm-pin', protocol })

      expect([served.status, failed.status]).toEqual([200, 500])
      expect(requestCounts(likely, pinned)).toEqual([before.likely, before.pinned + 2])
    },
  )

  it('is for administrators only', async () => {
    const { key } = await site.addUser('pinning-user')

    expect(await sendChat(pinTo(pinned.channel.id, key), { model: 'm-pin' })).toMatchObject({
      status: 403,
      code: 'channel_pin_refused',
    })
    expect(await sendChat({ url: site.url, key }, { model: 'm-pin' })).toMatchObject({ status: 200 })
  })

  it('must have an ID, exist and be enabled', async () => {
    expect(await sendChat(pinTo('seven'), { model: 'm-pin' })).toMatchObject({ status: 400 })
    expect(await sendChat(pinTo(999_999), { model: 'm-pin' })).toMatchObject({ status: 400 })
    expect(await sendChat(pinTo(disabled.channel.id), { model: 'm-pin' })).toMatchObject({
      status: 403,
      code: 'channel_pin_disabled',
    })
    expect(requestCounts(disabled)).toEqual([0])
  })
}

/** Six standard deviations: a random failure is expected once in a billion runs. */
function within(draws: number, share: number) {
  const reach = 6 * Math.sqrt(draws * share * (1 - share))
  return (count: number) => Math.abs(count - draws * share) <= reach
}
