import { api } from '@tidegate/contract'
import type { Script } from '@tidegate/testing'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { sendChat } from './send-chat.ts'
import { site, SOON, type FakeProvider } from './site.ts'

const { enabled, autoDisabled } = api.CHANNEL_STATUS
const apiError = (status: number, error: object): Script => ({ status, body: { error: { message: 'no', ...error } } })

const API_ERRORS: readonly [string, Script][] = [
  ['401', { status: 401 }],
  ['the code invalid_api_key', apiError(400, { code: 'invalid_api_key' })],
  ['the type insufficient_quota', apiError(429, { type: 'insufficient_quota' })],
]
const KEYWORD = apiError(400, { message: 'Your credit balance is too low to go on.' })

/** How channels are disabled and enabled automatically. */
export function autoDisableTests(): void {
  beforeAll(() => site.setOptions({ RetryTimes: 0, 'global.auto_retry_enabled': false }))

  it('leaves channels alone unless the site and the channel enable it', async () => {
    const [bySite, byChannel] = await site.addProviders({ models: 'm-site' }, { models: 'm-channel', auto_ban: 0 })
    bySite.always({ status: 401 })
    byChannel.always({ status: 401 })

    expect(await sendChat(site, { model: 'm-site' })).toMatchObject({ status: 503 })
    await site.setOptions({ AutomaticDisableChannelEnabled: true })
    expect(await sendChat(site, { model: 'm-channel' })).toMatchObject({ status: 503 })
    await othersAreDisabled()

    expect([await statusOf(bySite), await statusOf(byChannel)]).toEqual([enabled, enabled])
    await removeChannels(bySite, byChannel)
  })

  it.each(API_ERRORS)(
    'disables a channel on %s, with reason, time and a message to the super admin',
    async (what, script) => {
      const model = `m-${what.replaceAll(' ', '-')}`
      const provider = await site.addProvider({ models: model })
      provider.always(script)
      const before = Math.floor(Date.now() / 1000)

      await sendChat(site, { model })

      await expect.poll(() => statusOf(provider), SOON).toBe(autoDisabled)
      const info = JSON.parse((await site.channelOf(provider)).other_info) as {
        status_reason: string
        status_time: number
      }
      expect(info.status_reason).toContain(`status ${script.status}`)
      expect(info.status_time).toBeGreaterThanOrEqual(before)
      expect(info.status_time).toBeLessThanOrEqual(Date.now() / 1000)
      await expect.poll(() => sendChat(site, { model }), SOON).toMatchObject({ status: 404, code: 'no_channel' })
      expect(provider.requests).toHaveLength(1)
      expect(await enabledAbilities(provider)).toBe(0)
      expect(await inboxOfRoot(provider)).toMatchObject([
        { content: expect.stringContaining(info.status_reason.slice(0, 10)) },
      ])
      await removeChannels(provider)
    },
  )

  it('disables a channel when a keyword appears twice, not once', async () => {
    const provider = await site.addProvider({ models: 'm-keyword' })
    provider.always(KEYWORD)

    await sendChat(site, { model: 'm-keyword' })
    await othersAreDisabled()
    expect(await statusOf(provider)).toBe(enabled)
    await sendChat(site, { model: 'm-keyword' })

    await expect.poll(() => statusOf(provider), SOON).toBe(autoDisabled)
    await removeChannels(provider)
  })

  it('disables one of several keys, the channel only with its last key, and reveals none', async () => {
    const keys = ['key-of-the-provider-one', 'key-of-the-provider-two']
    const provider = await site.addProvider({ models: 'm-two-keys', key: keys.join() })
    const reject = (key: string) =>
      provider.when(
        ({ headers }) => headers.authorization === `Bearer ${key}`,
        apiError(401, { message: `The key ${key} is not valid.` }),
      )
    const states = async () =>
      (await site.admin.call(api.listChannelKeys, { path: { id: provider.channel.id } })).map(({ status }) => status)

    reject(keys[0]!)
    expect(await sendChat(site, { model: 'm-two-keys' })).toMatchObject({ status: 503 })
    await expect.poll(states, SOON).toEqual([autoDisabled, enabled])
    expect(await site.channelOf(provider)).toMatchObject({ status: enabled, key_count: 2, disabled_key_count: 1 })
    for (let times = 0; times < 3; times += 1) {
      expect(await sendChat(site, { model: 'm-two-keys' })).toMatchObject({ status: 200 })
    }
    reject(keys[1]!)
    expect(await sendChat(site, { model: 'm-two-keys' })).toMatchObject({ status: 503 })

    await expect.poll(() => statusOf(provider), SOON).toBe(autoDisabled)
    const texts = JSON.stringify([await site.channelOf(provider), await inboxOfRoot(provider)])
    for (const key of keys) expect(texts).not.toContain(key)
    expect(await inboxOfRoot(provider)).toHaveLength(2) // one for the key, one for the channel
    await removeChannels(provider)
  })

  it('enables a channel again when the test of all channels passes, if configured', async () => {
    const provider = await site.addProvider({ models: 'm-recovered' })
    provider.next({ status: 401 })
    await sendChat(site, { model: 'm-recovered' })
    await expect.poll(() => statusOf(provider), SOON).toBe(autoDisabled)

    await testAll()
    expect(provider.requests).toHaveLength(2)
    expect(await statusOf(provider)).toBe(autoDisabled)
    await site.setOptions({ AutomaticEnableChannelEnabled: true })
    await testAll()

    expect(await site.channelOf(provider)).toMatchObject({ status: enabled, other_info: '' })
    expect(await sendChat(site, { model: 'm-recovered' })).toMatchObject({ status: 200 })
    expect(await inboxOfRoot(provider)).toHaveLength(2) // disabled, then enabled
    await site.setOptions({ AutomaticDisableChannelEnabled: false, AutomaticEnableChannelEnabled: false })
  })
}

async function statusOf(provider: FakeProvider): Promise<number> {
  return (await site.channelOf(provider)).status
}

/** Disabling follows the request asynchronously: it is done when later requests have had their effect. */
async function othersAreDisabled(): Promise<void> {
  for (const model of ['m-later', 'm-latest']) {
    const provider = await site.addProvider({ models: model })
    provider.always({ status: 401 })
    await sendChat(site, { model })
    await expect.poll(() => statusOf(provider), SOON).toBe(autoDisabled)
    await removeChannels(provider)
  }
}

async function testAll(): Promise<void> {
  await site.admin.call(api.testAllChannels)
  await expect.poll(async () => (await site.admin.call(api.getTestProgress)).running, SOON).toBe(false)
}

/** The test of all channels should only see its own. */
async function removeChannels(...providers: FakeProvider[]): Promise<void> {
  await site.admin.call(api.deleteChannels, { body: { ids: providers.map(({ channel }) => channel.id) } })
}

async function enabledAbilities({ channel }: FakeProvider): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ability where channel_id = ${channel.id} and enabled`.execute(site.db)
  return rows[0]!.count
}

async function inboxOfRoot({ channel }: FakeProvider): Promise<{ title: string; content: string }[]> {
  const { rows } = await sql<{ title: string; content: string }>`
    select m.title, m.content from message m
    join message_recipient r on r.message_id = m.id
    join "user" u on u.id = r.user_id and u.role = 100
    where m.title like ${`%${channel.name}%`} order by m.id`.execute(site.db)
  return rows
}
