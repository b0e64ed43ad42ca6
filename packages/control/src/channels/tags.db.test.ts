import { api } from '@tidegate/contract'
import { addChannel, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let admin: ApiClient
let east: number[]
let west: number
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('channel').execute()
  const add = async (tag: string) => (await addChannel(admin, { url: 'http://127.0.0.1:9' }, { tag, models: 'm' })).id
  east = [await add('east'), await add('east')]
  west = await add('west')
  await add('')
})

const rows = () => site.db.selectFrom('channel').selectAll().orderBy('id').execute()
const routableIds = (model: string) =>
  site.deps
    .catalog()
    .channelsFor('default', model)
    .map(({ id }) => id)

describe('tags', () => {
  it('are listed once each, with paging', async () => {
    const list = (query: Record<string, number>) => admin.call(api.listChannelTags, { query })

    expect(await list({})).toEqual(['east', 'west'])
    expect(await list({ offset: 1, limit: 200 })).toEqual(['west'])
    expect(await list({ limit: 1 })).toEqual(['east'])
    expect(await list({ limit: 201 })).toEqual(['east', 'west'])
  })

  it('are set and removed together with the abilities', async () => {
    expect(await admin.call(api.tagChannels, { body: { ids: [...east, 999_999], tag: ' north ' } })).toBe(2)
    expect(await admin.call(api.listChannelTags)).toEqual(['north', 'west'])
    const tagged = await site.db.selectFrom('ability').select('channel_id').where('tag', '=', 'north').execute()
    expect(tagged.map(({ channel_id }) => channel_id).toSorted((a, b) => a - b)).toEqual(east)

    expect(await admin.call(api.tagChannels, { body: { ids: [west], tag: null } })).toBe(1)
    expect(await admin.call(api.listChannelTags)).toEqual(['north'])
    expect((await admin.send(api.tagChannels, { body: { ids: [], tag: 'x' } })).envelope).toMatchObject({
      code: 'invalid_params',
    })
  })
})

describe('editing a tag', () => {
  it('changes all its channels and no others', async () => {
    await admin.call(api.updateChannelTag, {
      body: {
        tag: 'east',
        new_tag: 'orient',
        models: 'n,o',
        groups: ['default', 'vip'],
        model_mapping: '{"n":"m"}',
        priority: 4,
        weight: 2,
      },
    })

    const changed = { tag: 'orient', models: 'n,o', group: 'default,vip', model_mapping: '{"n":"m"}' }
    expect(await rows()).toMatchObject([
      { ...changed, priority: 4, weight: 2 },
      { ...changed, priority: 4, weight: 2 },
      { tag: 'west', models: 'm' },
      { tag: '', models: 'm' },
    ])
    expect(routableIds('o')).toEqual(east)
  })

  it('keeps absent, null and empty fields, and removes the tag with an empty new one', async () => {
    await admin.call(api.updateChannelTag, { body: { tag: 'east', models: '', groups: '', priority: null } })
    expect(await rows()).toMatchObject([{ tag: 'east', models: 'm', group: 'default', priority: 0 }, {}, {}, {}])

    await admin.call(api.updateChannelTag, { body: { tag: 'east', new_tag: '' } })
    expect(await admin.call(api.listChannelTags)).toEqual(['west'])
  })

  it.each([
    [{ tag: ' ' }, 'channel_tag_required'],
    [{ tag: 'north' }, 'channel_tag_not_found'],
    [{ tag: 'east', model_mapping: '{' }, 'channel_json_invalid'],
    [{ tag: 'east', groups: 'nobody' }, 'group_unknown'],
    [{ tag: 'east', weight: -1 }, 'channel_weight_invalid'],
    [{ tag: 'east', priority: -1000 }, 'channel_priority_invalid'],
  ])('is rejected with %o and changes nothing', async (body, code) => {
    const before = await rows()

    expect((await admin.send(api.updateChannelTag, { body })).envelope).toMatchObject({ success: false, code })
    expect(await rows()).toEqual(before)
  })

  it('disables and enables all its channels', async () => {
    await site.db
      .updateTable('channel')
      .set({ status: 3, other_info: JSON.stringify({ status_reason: 'x' }) })
      .where('id', '=', east[0]!)
      .execute()

    await admin.call(api.disableChannelTag, { body: { tag: 'east' } })
    expect((await rows()).map(({ status }) => status)).toEqual([2, 2, 1, 1])
    expect(routableIds('m')).not.toContain(east[1])

    await admin.call(api.enableChannelTag, { body: { tag: 'east' } })
    expect((await rows()).map(({ status }) => status)).toEqual([1, 1, 1, 1])
    expect(routableIds('m')).toEqual(expect.arrayContaining(east))
    expect((await admin.send(api.enableChannelTag, { body: { tag: '' } })).envelope).toMatchObject({
      code: 'channel_tag_required',
    })
  })
})
