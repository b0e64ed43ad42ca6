import { api } from '@tidegate/contract'
import { addChannel, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../../test/start-site.ts'
import { recordMissingKeys } from '../fix-channels.ts'

let site: TestSite
let admin: ApiClient
let id: number
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('channel').execute()
  ;({ id } = await addChannel(admin, { url: 'http://127.0.0.1:9' }, { key: KEYS.join('\n'), models: 'm' }))
})

const KEYS = ['sk-first-0123456789', 'sk-second-0123456789', 'sk-third-0123456789']

const keys = () => admin.call(api.listChannelKeys, { path: { id } })
const routableKeys = () => site.deps.catalog().channelsFor('default', 'm')[0]?.keys
const enable = (hash: string) => admin.send(api.enableChannelKey, { path: { id, hash } })
const disable = (hash: string) => admin.send(api.disableChannelKey, { path: { id, hash } })

describe('channel keys', () => {
  it('are listed masked and in order, with an opaque hash', async () => {
    const listed = await keys()

    expect(listed).toMatchObject([
      { masked: 'sk-f••••6789', status: 1, reason: '' },
      { masked: 'sk-s••••6789', status: 1 },
      { masked: 'sk-t••••6789', status: 1 },
    ])
    expect(listed.every(({ hash }) => /^[0-9a-f]{16}$/.test(hash))).toBe(true)
    expect(new Set(listed.map(({ hash }) => hash)).size).toBe(3)
  })

  it('can be disabled one by one, except the last', async () => {
    const [first, second, third] = (await keys()).map(({ hash }) => hash)

    await disable(second!)
    expect(routableKeys()).toEqual([KEYS[0], KEYS[2]])
    expect(await admin.call(api.getChannel, { path: { id } })).toMatchObject({ key_count: 3, disabled_key_count: 1 })

    await disable(first!)
    expect((await disable(third!)).envelope).toMatchObject({ success: false, code: 'channel_key_last' })
    expect(routableKeys()).toEqual([KEYS[2]])

    await enable(second!)
    expect(routableKeys()).toEqual([KEYS[1], KEYS[2]])
  })

  it('keep their state when other keys change', async () => {
    const [, second] = await keys()
    await disable(second!.hash)

    await admin.call(api.updateChannel, { body: { id, key: `${KEYS[1]}\nsk-new-0123456789` } })

    expect((await keys()).map(({ status }) => status)).toEqual([2, 1])
    expect(routableKeys()).toEqual(['sk-new-0123456789'])
  })

  it('enable a channel that had no usable key, without other keys', async () => {
    const [first] = await keys()
    await site.db.updateTable('channel').set({ status: 3 }).where('id', '=', id).execute()
    await site.db
      .updateTable('channel_key')
      .set({ status: 3, reason: 'refused' })
      .where('channel_id', '=', id)
      .execute()

    await enable(first!.hash)

    expect(routableKeys()).toEqual([KEYS[0]])
    expect(await keys()).toMatchObject([{ status: 1, reason: '' }, { status: 3, reason: 'refused' }, { status: 3 }])
  })

  it('keep a manually disabled channel disabled', async () => {
    const [first] = await keys()
    await disable(first!.hash)
    await admin.call(api.updateChannel, { body: { id, status: 2 } })

    await enable(first!.hash)

    expect(await admin.call(api.getChannel, { path: { id } })).toMatchObject({ status: 2, disabled_key_count: 0 })
  })

  it.each(['0000000000000000', 'ab'])('are not found by %j', async (hash) => {
    expect((await enable(hash)).envelope).toMatchObject({ success: false, code: 'channel_key_not_found' })
  })

  it('are recorded later for older channels', async () => {
    await site.db.deleteFrom('channel_key').execute()
    expect(await admin.call(api.searchChannels, { query: { keyword: KEYS[1]! } })).toEqual([])

    expect(await recordMissingKeys(site.deps)).toBe(1)

    expect(await recordMissingKeys(site.deps)).toBe(0)
    expect(await admin.call(api.searchChannels, { query: { keyword: KEYS[1]! } })).toMatchObject([{ id, key_count: 3 }])
  })

  it('can be enabled and disabled before they are recorded', async () => {
    await site.db.deleteFrom('channel_key').execute()
    const [first] = await keys()

    await disable(first!.hash)

    expect(routableKeys()).toEqual([KEYS[1], KEYS[2]])
  })
})
