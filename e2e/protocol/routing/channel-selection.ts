import { api } from '@tidegate/contract'
import { addToken } from '@tidegate/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { call, callMany } from './send-chat.ts'
import { pick } from './protocols.ts'
import { asked, site, type Vendor } from './site.ts'

/** Which channel a call goes to. */
export function choiceTests(): void {
  beforeAll(() => site.setOptions({ RetryTimes: 3 }))
  describe('the channels for a call', theChannels)
  describe('among the channels for a call', amongThem)
  describe('a virtual model', aVirtualModel)
  describe('a channel', aChannel)
  describe('a pinned channel', aPinnedChannel)
}

const DOWN = { status: 500 }

function theChannels(): void {
  it('are those of its group', async () => {
    const [common, vip] = await site.addVendors(
      { models: 'm-group', group: 'default' },
      { models: 'm-group,m-vip', group: 'vip' },
    )
    const { secret } = await addToken(site.admin, { group: 'vip' })
    const inVip = { url: site.url, key: secret }

    await callMany(site, 10, { model: 'm-group' })
    await callMany(inVip, 10, { model: 'm-group' })

    expect(asked(common, vip)).toEqual([10, 10])
    expect(await call(inVip, { model: 'm-vip' })).toMatchObject({ status: 200 })
    expect(await call(site, { model: 'm-vip' })).toMatchObject({ status: 403, code: 'model_not_in_group' })
  })

  it('are those that list its model, to the letter', async () => {
    const [one, other] = await site.addVendors({ models: 'm-one' }, { models: 'm-other,M-one' })

    await callMany(site, 10, { model: 'm-one' })

    expect(asked(one, other)).toEqual([10, 0])
    expect(await call(site, { model: 'm-on' })).toMatchObject({ status: 404, code: 'model_not_found' })
  })

  it('with a prefix are those that carry the longest one, and a failure does not lead out of them', async () => {
    const [plain, short, long] = await site.addVendors(
      { models: 'm-prefix,fast/m-prefix', priority: 9 },
      { models: 'm-prefix,fast/m-prefix', model_prefix: 'acme/', priority: 5 },
      { models: 'm-prefix', model_prefix: 'acme/fast/' },
    )

    await callMany(site, 5, { model: 'acme/m-prefix' })
    await callMany(site, 7, { model: 'acme/fast/m-prefix' })
    expect(asked(plain, short, long)).toEqual([0, 5, 7])
    expect(long.requests.map(({ body }) => pick(body, 'model'))).toEqual(Array(7).fill('m-prefix'))

    long.always(DOWN)
    expect(await call(site, { model: 'acme/fast/m-prefix' })).toMatchObject({ status: 500 })
    expect(asked(plain, short, long)).toEqual([0, 5, 7 + 4])
  })

  it('are those that take a prompt of its length, and it is refused for its length only when none does', async () => {
    const [small, medium, large] = await site.addVendors(
      { models: 'm-length,m-limited', max_input_tokens: 30, priority: 9 },
      { models: 'm-length,m-limited', max_input_tokens: 300, priority: 5 },
      { models: 'm-length', max_input_tokens: 0 },
    )
    const words = (count: number) => 'tide '.repeat(count)

    await callMany(site, 3, { model: 'm-length', text: words(5) })
    await callMany(site, 4, { model: 'm-length', text: words(100) })
    await callMany(site, 5, { model: 'm-length', text: words(1000) })
    expect(asked(small, medium, large)).toEqual([3, 4, 5])

    expect(await call(site, { model: 'm-limited', text: words(100) })).toMatchObject({ status: 200 })
    expect(await call(site, { model: 'm-limited', text: words(1000) })).toMatchObject({
      status: 400,
      code: 'max_input_tokens_exceeded',
      message: expect.stringContaining('300'),
    })
    expect(asked(small, medium, large)).toEqual([3, 5, 5])
  })
}

function amongThem(): void {
  it('one of the highest priority is asked, and one of the next when it fails', async () => {
    const [low, high, middle] = await site.addVendors(
      { models: 'm-priority', priority: -5, weight: 1000 },
      { models: 'm-priority', priority: 7 },
      { models: 'm-priority', priority: 1, weight: 1000 },
    )

    await callMany(site, 30, { model: 'm-priority' })
    expect(asked(low, high, middle)).toEqual([0, 30, 0])

    high.next(DOWN)
    expect(await call(site, { model: 'm-priority' })).toMatchObject({ status: 200 })
    expect(asked(low, high, middle)).toEqual([0, 31, 1])
  })

  it('each is drawn as often as its weight and ten say', async () => {
    const [light, heavy] = await site.addVendors({ models: 'm-weight', weight: 0 }, { models: 'm-weight', weight: 30 })

    await callMany(site, 300, { model: 'm-weight' })

    expect(asked(light, heavy).reduce((sum, count) => sum + count)).toBe(300)
    expect(light.requests.length).toSatisfy(within(300, 10 / 50))
  })

  it('with a prefix each is drawn as often as its plain weight, and all alike when none has one', async () => {
    const [weightless, weighty, one, other] = await site.addVendors(
      { models: 'm', model_prefix: 'weighed/', weight: 0, priority: 9 },
      { models: 'm', model_prefix: 'weighed/', weight: 30 },
      { models: 'm', model_prefix: 'equal/', weight: 0, priority: 9 },
      { models: 'm', model_prefix: 'equal/', weight: 0 },
    )

    await callMany(site, 50, { model: 'weighed/m' })
    await callMany(site, 60, { model: 'equal/m' })

    expect(asked(weightless, weighty)).toEqual([0, 50])
    expect(one.requests.length + other.requests.length).toBe(60)
    expect(one.requests.length).toSatisfy(within(60, 1 / 2))
  })
}

function aVirtualModel(): void {
  it('stands for its best targets in turn, and for the next ones when those fail', async () => {
    const [first, second, reserve] = await site.addVendors(
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
      await call(site, { model: 'tide-best' })
      inTurn.push(first.requests.length > before ? 'first' : 'second')
    }
    expect(inTurn).toEqual(['first', 'second', 'first', 'second', 'first', 'second'])
    expect(second.requests.map(({ body }) => pick(body, 'model'))).toEqual(Array(3).fill('m-second'))

    first.next(DOWN)
    second.next(DOWN)
    const answer = await call(site, { model: 'tide-best' })
    expect(answer).toMatchObject({ status: 200 })
    expect(asked(first, second, reserve)).toEqual([4, 4, 1])
    expect(await site.rowOf(answer.requestId)).toMatchObject({ model_name: 'tide-best', channel: reserve.channel.id })
  })
}

function aChannel(): void {
  it('maps names from one to the next, and out of a circle', async () => {
    const chain = { 'm-chain': 'm-link', 'm-link': 'm-end', 'm-round': 'm-about', 'm-about': 'm-round' }
    const vendor = await site.addVendor({ models: 'm-chain,m-round', model_mapping: JSON.stringify(chain) })

    const straight = await call(site, { model: 'm-chain' })
    const round = await call(site, { model: 'm-round' })

    expect([straight.status, round.status]).toEqual([200, 200])
    expect(vendor.requests.map(({ body }) => pick(body, 'model'))).toEqual(['m-end', 'm-round'])
  })

  it('uses its keys in turn', async () => {
    const vendor = await site.addVendor({ models: 'm-keys', key: 'key-one,key-two\nkey-three' })

    for (let turn = 0; turn < 6; turn += 1) await call(site, { model: 'm-keys' })

    const round = ['Bearer key-one', 'Bearer key-two', 'Bearer key-three']
    expect(vendor.requests.map(({ headers }) => headers.authorization)).toEqual([...round, ...round])
  })
}

function aPinnedChannel(): void {
  let likely: Vendor
  let pinned: Vendor
  let disabled: Vendor
  beforeAll(async () => {
    likely = await site.addVendor({ models: 'm-pin', priority: 9 })
    pinned = await site.addVendor({ models: 'm-pin', priority: 1 })
    disabled = await site.addVendor({ models: 'm-pin' })
    await site.admin.call(api.updateChannel, { body: { id: disabled.channel.id, status: 2 } })
  })
  const pinTo = (id: number | string, key = site.key) => ({ url: site.url, key: `${key}-${id}` })

  it.each(['chat', 'messages', 'responses', 'gemini'] as const)(
    'is the only one asked, and once, in a call of %s',
    async (protocol) => {
      const before = { likely: likely.requests.length, pinned: pinned.requests.length }
      pinned.next({}, DOWN)

      const served = await call(pinTo(pinned.channel.id), { model: 'm-pin', protocol })
      const failed = await call(pinTo(pinned.channel.id), { model: 'm-pin', protocol })

      expect([served.status, failed.status]).toEqual([200, 500])
      expect(asked(likely, pinned)).toEqual([before.likely, before.pinned + 2])
    },
  )

  it('is for administrators only', async () => {
    const { key } = await site.addUser('pinning-user')

    expect(await call(pinTo(pinned.channel.id, key), { model: 'm-pin' })).toMatchObject({
      status: 403,
      code: 'channel_pin_refused',
    })
    expect(await call({ url: site.url, key }, { model: 'm-pin' })).toMatchObject({ status: 200 })
  })

  it('must have an id, exist and be enabled', async () => {
    expect(await call(pinTo('seven'), { model: 'm-pin' })).toMatchObject({ status: 400 })
    expect(await call(pinTo(999_999), { model: 'm-pin' })).toMatchObject({ status: 400 })
    expect(await call(pinTo(disabled.channel.id), { model: 'm-pin' })).toMatchObject({
      status: 403,
      code: 'channel_pin_disabled',
    })
    expect(asked(disabled)).toEqual([0])
  })
}

/** Six standard deviations around what chance gives: chance is outside once in a billion runs. */
function within(draws: number, share: number) {
  const reach = 6 * Math.sqrt(draws * share * (1 - share))
  return (count: number) => Math.abs(count - draws * share) <= reach
}
