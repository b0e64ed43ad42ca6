import { api } from '@tidegate/contract'
import { addChannel, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'
import { disableChannel, enableChannel } from './status.ts'

let site: TestSite
let root: ApiClient
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('channel').execute()
  await site.db.deleteFrom('message').execute()
})

const KEYS = ['sk-first-0123456789', 'sk-second-0123456789']
const at = new Date('2030-01-01T00:00:00Z')

const add = (changes: object = {}) =>
  addChannel(root, { url: 'http://127.0.0.1:9' }, { key: KEYS.join('\n'), models: 'm', name: 'Harbour', ...changes })
const get = (id: number) => root.call(api.getChannel, { path: { id } })
const routableKeys = () => site.deps.catalog().channelsFor('default', 'm')[0]?.keys
const messages = () =>
  site.db
    .selectFrom('message')
    .innerJoin('message_recipient', 'message_recipient.message_id', 'message.id')
    .select(['title', 'content', 'user_id'])
    .orderBy('message.id')
    .execute()

describe('a key rejected by the provider', () => {
  it('is disabled alone while there are others', async () => {
    const { id } = await add()

    expect(await disableChannel(site.deps, { channelId: id, key: KEYS[0]!, reason: 'status 401', at })).toBe('key')

    expect(await get(id)).toMatchObject({ status: 1, key_count: 2, disabled_key_count: 1, other_info: '' })
    expect(await root.call(api.listChannelKeys, { path: { id } })).toMatchObject([
      { status: 3, reason: 'status 401', changed_time: at.getTime() / 1000 },
      { status: 1 },
    ])
    expect(routableKeys()).toEqual([KEYS[1]])
    expect(await messages()).toMatchObject([{ user_id: root.userId, title: expect.stringContaining('一个密钥') }])
  })

  it('disables the channel if it was the last, and alerts the super admin', async () => {
    const { id } = await add()
    await disableChannel(site.deps, { channelId: id, key: KEYS[0]!, reason: 'status 401', at })

    expect(await disableChannel(site.deps, { channelId: id, key: KEYS[1]!, reason: 'no *credit*', at })).toBe('channel')

    const channel = await get(id)
    expect(channel).toMatchObject({ status: 3, disabled_key_count: 2 })
    expect(JSON.parse(channel.other_info)).toEqual({ status_reason: 'no *credit*', status_time: at.getTime() / 1000 })
    expect(routableKeys()).toBeUndefined()
    const abilities = await site.db.selectFrom('ability').select('enabled').where('channel_id', '=', id).execute()
    expect(abilities).toEqual([{ enabled: false }])
    expect((await messages()).at(-1)).toMatchObject({
      title: `渠道「Harbour」（#${id}）已被自动禁用`,
      content: expect.stringContaining('no \\*credit\\*'),
    })
  })

  it('alerts by the notification method of the super admin too', async () => {
    const webhook_url = 'https://hooks.example/root'
    await root.call(api.updateSetting, { body: { notify_type: 'webhook', webhook_url } })
    const { id } = await add({ name: 'A_{{value}}' })

    await disableChannel(site.deps, { channelId: id, reason: 'no *credit*', at })

    expect(
      await site.db.selectFrom('delivery').selectAll().where('user_id', '=', root.userId!).execute(),
    ).toMatchObject([
      {
        kind: 'webhook',
        type: `channel_update_${id}_3`,
        target: webhook_url,
        status: 'waiting',
        payload: { content: expect.stringContaining('{{value}}'), values: ['A_{{value}}', String(id), 'no *credit*'] },
      },
    ])
    expect((await messages()).at(-1)!.content).toContain('「A\\_\\{\\{value\\}\\}」')
    await site.db.updateTable('user').set({ setting: '{}' }).where('id', '=', root.userId!).execute()
  })

  it('changes nothing if the channel no longer has it', async () => {
    const { id } = await add()
    const { version } = site.deps.catalog()

    expect(await disableChannel(site.deps, { channelId: id, key: 'sk-replaced', reason: 'x' })).toBeUndefined()

    expect(await get(id)).toMatchObject({ status: 1, disabled_key_count: 0 })
    expect(await messages()).toEqual([])
    const { version: after } = await site.db.selectFrom('catalog_version').select('version').executeTakeFirstOrThrow()
    expect(after).toBe(version)
  })

  it('is masked in the stored reason', async () => {
    const { id } = await add({ key: KEYS[0] })

    await disableChannel(site.deps, { channelId: id, key: KEYS[0]!, reason: `Incorrect API key: ${KEYS[0]!}` })

    expect((await get(id)).other_info).toContain('sk-f••••6789')
    const everything = [await messages(), await site.db.selectFrom('audit_event').selectAll().execute()]
    expect(JSON.stringify(everything)).not.toContain(KEYS[0])
  })
})

describe('a channel', () => {
  it('is disabled completely when no key is named', async () => {
    const { id } = await add()

    expect(await disableChannel(site.deps, { channelId: id, reason: 'slow' })).toBe('channel')

    expect(await get(id)).toMatchObject({ status: 3, disabled_key_count: 0 })
  })

  it.each([
    ['disabled by hand', { status: 2 }],
    ['to stay enabled', { auto_ban: 0 as const }],
  ])('%s stays unchanged', async (_case, changes) => {
    const { id } = await add()
    await root.call(api.updateChannel, { body: { id, ...changes } })
    const before = await get(id)

    expect(await disableChannel(site.deps, { channelId: id, key: KEYS[0]!, reason: 'x' })).toBeUndefined()

    expect(await get(id)).toEqual(before)
    expect(await messages()).toEqual([])
  })

  it('is disabled when its account is empty, even with auto_ban off', async () => {
    const { id } = await add({ auto_ban: 0 })

    expect(await disableChannel(site.deps, { channelId: id, reason: 'empty', ignoreAutoBan: true })).toBe('channel')
  })

  it('is ignored if it is gone or already disabled', async () => {
    const { id } = await add()
    await disableChannel(site.deps, { channelId: id, reason: 'first' })

    expect(await disableChannel(site.deps, { channelId: id, reason: 'second' })).toBeUndefined()
    expect(await disableChannel(site.deps, { channelId: 999_999, reason: 'x' })).toBeUndefined()
    expect((await get(id)).other_info).toContain('first')
  })

  it('is disabled once for concurrent reports', async () => {
    const { id } = await add({ key: KEYS[0] })

    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => disableChannel(site.deps, { channelId: id, key: KEYS[0]!, reason: 'x' })),
    )

    expect(outcomes.filter((outcome) => outcome === 'channel')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(7)
    expect(await messages()).toHaveLength(1)
    const events = await site.db
      .selectFrom('audit_event')
      .select('actor_id')
      .where('action', '=', 'channel.auto_disable')
      .where('subject', '=', String(id))
      .execute()
    expect(events).toEqual([{ actor_id: null }])
  })

  it('is enabled with its keys, with at most one alert in ten minutes', async () => {
    const { id } = await add()
    for (let flap = 0; flap < 3; flap++) {
      await disableChannel(site.deps, { channelId: id, key: KEYS[0]!, reason: 'x' })
      await disableChannel(site.deps, { channelId: id, key: KEYS[1]!, reason: 'x' })
      expect(await enableChannel(site.deps, { channelId: id })).toBe(true)
    }

    expect(await get(id)).toMatchObject({ status: 1, disabled_key_count: 0, other_info: '' })
    expect(routableKeys()).toEqual(KEYS)
    expect((await messages()).map(({ title }) => title)).toEqual([
      expect.stringContaining('一个密钥'),
      expect.stringContaining('已被自动禁用'),
      expect.stringContaining('已恢复启用'),
    ])

    await site.db
      .updateTable('channel_notice')
      .set({ sent_at: new Date(Date.now() - 11 * 60_000) })
      .execute()
    await disableChannel(site.deps, { channelId: id, reason: 'x' })
    expect(await messages()).toHaveLength(4)
  })

  it('is not enabled automatically unless it was disabled automatically', async () => {
    const { id } = await add()
    await root.call(api.updateChannel, { body: { id, status: 2 } })

    expect(await enableChannel(site.deps, { channelId: id })).toBe(false)
    expect(await get(id)).toMatchObject({ status: 2 })
  })
})
