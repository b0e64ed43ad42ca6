import { api } from '@tidegate/contract'
import { addChannel, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let admin: ApiClient
let ids: number[]
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('channel').execute()
  ids = []
  for (const key of ['sk-1', 'sk-2', 'sk-3']) {
    const fields = { key, models: 'm', priority: 1, weight: 1 }
    ids.push((await addChannel(admin, { url: 'http://127.0.0.1:9' }, fields)).id)
  }
})

const UNKNOWN = 999_999
const statuses = async () =>
  (await site.db.selectFrom('channel').select('status').orderBy('id').execute()).map(({ status }) => status)
const routableChannels = () => site.deps.catalog().channelsFor('default', 'm')
const lastEvent = () =>
  site.db.selectFrom('audit_event').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

describe('disabling and enabling many channels', () => {
  it('changes the given channels and routing, and is recorded', async () => {
    expect(await admin.call(api.disableChannels, { body: { ids: [ids[0]!, ids[1]!, UNKNOWN] } })).toBe(2)

    expect(await statuses()).toEqual([2, 2, 1])
    expect(routableChannels().map(({ id }) => id)).toEqual([ids[2]])
    expect(await lastEvent()).toMatchObject({
      actor_id: admin.userId,
      action: 'channel.disable_many',
      details: { ids: [ids[0], ids[1]] },
    })

    expect(await admin.call(api.enableChannels, { body: { ids } })).toBe(2)
    expect(await statuses()).toEqual([1, 1, 1])
    expect(routableChannels()).toHaveLength(3)
    expect(await lastEvent()).toMatchObject({ action: 'channel.enable_many', details: { ids: [ids[0], ids[1]] } })
  })

  it('clears the reason of an automatic disable and enables the keys', async () => {
    const other_info = JSON.stringify({ status_reason: 'no credit', status_time: 1, note: 'stays' })
    await site.db.updateTable('channel').set({ status: 3, other_info }).where('id', '=', ids[0]!).execute()
    await site.db.updateTable('channel_key').set({ status: 3 }).where('channel_id', '=', ids[0]!).execute()

    expect(await admin.call(api.enableChannels, { body: { ids } })).toBe(1)

    const channel = await admin.call(api.getChannel, { path: { id: ids[0]! } })
    expect(channel).toMatchObject({ status: 1, disabled_key_count: 0, other_info: '{"note":"stays"}' })
  })

  it('changes and records nothing when all channels already have the status', async () => {
    const before = await lastEvent()
    const { version } = site.deps.catalog()

    expect(await admin.call(api.enableChannels, { body: { ids } })).toBe(0)
    expect(await admin.call(api.disableChannels, { body: { ids: [UNKNOWN] } })).toBe(0)

    expect((await lastEvent()).id).toBe(before.id)
    expect(site.deps.catalog().version).toBe(version)
  })
})

describe('setting priority and weight of many channels', () => {
  it('changes the given channels and routing, and is recorded', async () => {
    const chosen = [ids[0]!, ids[2]!]

    expect(await admin.call(api.setChannelPriority, { body: { ids: [...chosen, UNKNOWN], priority: -7 } })).toBe(2)
    expect(await lastEvent()).toMatchObject({
      action: 'channel.update_many',
      details: { ids: chosen, priority: -7 },
    })
    expect(await admin.call(api.setChannelWeight, { body: { ids: chosen, weight: 40 } })).toBe(2)

    expect(new Map(routableChannels().map(({ id, priority, weight }) => [id, [priority, weight]]))).toEqual(
      new Map([
        [ids[0], [-7, 40]],
        [ids[1], [1, 1]],
        [ids[2], [-7, 40]],
      ]),
    )
    const abilities = await site.db.selectFrom('ability').select(['priority', 'weight']).orderBy('channel_id').execute()
    expect(abilities).toEqual([
      { priority: -7, weight: 40 },
      { priority: 1, weight: 1 },
      { priority: -7, weight: 40 },
    ])
  })

  it('rejects values out of range', async () => {
    await expect(admin.call(api.setChannelWeight, { body: { ids, weight: -1 } })).rejects.toMatchObject({
      code: 'channel_weight_invalid',
    })
    await expect(
      admin.call(api.setChannelPriority, { body: { ids, priority: Number.MIN_SAFE_INTEGER } }),
    ).rejects.toMatchObject({ code: 'channel_priority_invalid' })
    expect(routableChannels().every(({ priority, weight }) => priority === 1 && weight === 1)).toBe(true)
  })
})

it.each([api.enableChannels, api.disableChannels])('rejects a request without channels: $path', async (endpoint) => {
  await expect(admin.call(endpoint, { body: {} })).rejects.toMatchObject({ code: 'invalid_params' })
})

it('is for administrators only', async () => {
  const user = await site.signedIn('user')

  await expect(user.call(api.disableChannels, { body: { ids } })).rejects.toMatchObject({ code: 'forbidden' })
  expect(await statuses()).toEqual([1, 1, 1])
})
