import { api } from '@tidegate/contract'
import { addChannel, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let admin: ApiClient
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
})
afterAll(() => site.close())

const upstream = { url: 'http://127.0.0.1:9' }

describe('a channel', () => {
  it('is routable when its creation returns', async () => {
    const channel = await addChannel(admin, upstream, {
      models: ' gpt-a , gpt-b,gpt-a ',
      group: 'default,vip',
      key: 'sk-1',
    })

    const routed = site.deps.catalog().channelsFor('vip', 'gpt-b')
    expect(channel).toMatchObject({ models: 'gpt-a,gpt-b', group: 'default,vip', status: 1, auto_ban: 1 })
    expect(routed).toMatchObject([{ id: channel.id, keys: ['sk-1'], baseUrl: upstream.url }])
  })

  it('is never routable when it is created disabled', async () => {
    const channel = await addChannel(admin, upstream, { models: 'only-disabled', disabled: true })

    expect(channel.status).toBe(api.CHANNEL_STATUS.disabled)
    expect(site.deps.catalog().channelsFor('default', 'only-disabled')).toEqual([])
  })

  it('has the entered keys, separated by lines or commas', async () => {
    const channel = await addChannel(admin, upstream, { key: 'sk-1\nsk-2,sk-3\nsk-1', models: 'three-keys' })

    expect(channel).toMatchObject({ key_count: 3, disabled_key_count: 0 })
    expect(site.deps.catalog().channelsFor('default', 'three-keys')[0]!.keys).toEqual(['sk-1', 'sk-2', 'sk-3'])
  })

  describe('can be created in the wrapped format of other tools', () => {
    const channel = { name: 'wrapped', key: 'sk-1', base_url: upstream.url, models: 'wrapped-model' }
    const create = (body: object) =>
      admin.call(api.createChannel, { body: body as api.BodyInput<typeof api.createChannel> })

    it.each(['single', 'multi_to_single'])('can be created with the mode %s', async (mode) => {
      expect(await create({ mode, channel })).toMatchObject({ name: 'wrapped', models: 'wrapped-model' })
    })

    it.each(['batch', ''])('is rejected with the mode "%s", which the error names', async (mode) => {
      await expect(create({ mode, channel })).rejects.toMatchObject({
        code: 'channel_mode_unknown',
        message: expect.stringContaining(`“${mode}”`),
      })
    })

    it('is rejected without a mode', async () => {
      await expect(create({ channel })).rejects.toMatchObject({ code: 'channel_mode_unknown' })
    })

    it('is rejected with the name of the wrong field', async () => {
      const wrong = { ...channel, weight: 'heavy' }
      await expect(create({ mode: 'single', channel: wrong })).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('weight'),
      })
      await expect(create({ mode: 'single', channel: 'wrapped' })).rejects.toMatchObject({ code: 'invalid_params' })
    })
  })

  it('stores its key sealed and hides it in lists', async () => {
    const channel = await addChannel(admin, upstream, { key: 'sk-very-secret-key' })

    const row = await site.db.selectFrom('channel').selectAll().where('id', '=', channel.id).executeTakeFirstOrThrow()
    const listed = await admin.send(api.listChannels)

    expect(JSON.stringify(row)).not.toContain('very-secret')
    expect(JSON.stringify(listed.envelope)).not.toMatch(/very-secret|sealed/)
  })

  it.each([
    [{ name: ' ' }, 'channel_name_key_required', '请填写渠道名称和渠道密钥！'],
    [{ key: '' }, 'channel_name_key_required', '请填写渠道名称和渠道密钥！'],
    [{ key: ' , \n' }, 'channel_name_key_required', '请填写渠道名称和渠道密钥！'],
    [{ key: 'sk-1••••cdef' }, 'channel_key_mask_unknown', expect.stringContaining('请填写完整密钥')],
    [{ models: ' , ' }, 'channel_models_required', '请至少选择一个模型！'],
    [{ type: 9999 }, 'channel_type_unknown', '不支持的渠道类型：9999'],
    [{ type: 8, base_url: '' }, 'channel_base_url_required', '该类型的渠道必须填写接口地址'],
    [{ base_url: 'ftp://x' }, 'channel_base_url_invalid', '接口地址必须是 http 或 https 地址'],
    [{ model_mapping: '[1]' }, 'channel_json_invalid', 'model_mapping 不是合法的 JSON 对象'],
    [{ group: 'nobody' }, 'group_unknown', '分组不存在：nobody'],
    [{ priority: -1000 }, 'channel_priority_invalid', '优先级必须是不小于 -999 的整数'],
    [{ setting: '{"openai_api":"x"}' }, 'channel_setting_invalid', expect.stringContaining('auto, chat, responses')],
  ])('is rejected with %o', async (change, code, message) => {
    const body = { type: 1, name: 'c', key: 'k', base_url: upstream.url, models: 'm', group: 'default', ...change }

    const { envelope } = await admin.send(api.createChannel, { body })

    expect(envelope).toEqual({ success: false, code, message })
  })

  it('ignores history fields of a copied row', async () => {
    const history = { id: 77, used_quota: 5, balance: 9, test_time: 1, response_time: 2, status: 2, created_time: 3 }

    const channel = await addChannel(admin, upstream, history as object)

    expect(channel).toMatchObject({ used_quota: 0, balance: 0, test_time: 0, response_time: 0, status: 1 })
    expect(channel.id).not.toBe(77)
  })

  it('is no longer routed to after deletion', async () => {
    const channel = await addChannel(admin, upstream, { models: 'only-here' })
    expect(site.deps.catalog().channelsFor('default', 'only-here')).toHaveLength(1)

    await admin.call(api.deleteChannel, { path: { id: channel.id } })

    expect(site.deps.catalog().channelsFor('default', 'only-here')).toEqual([])
    await expect(admin.call(api.deleteChannel, { path: { id: channel.id } })).rejects.toMatchObject({
      code: 'channel_not_found',
    })
  })
})

describe('many channels at once', () => {
  it('are deleted by id and counted', async () => {
    const channels = [await addChannel(admin, upstream), await addChannel(admin, upstream)]
    const ids = channels.map(({ id }) => id)

    expect(await admin.call(api.deleteChannels, { body: { ids: [...ids, 999_999] } })).toBe(2)
    expect(await admin.call(api.deleteChannels, { body: { ids } })).toBe(0)
    expect((await admin.send(api.deleteChannels, { body: { ids: [] } })).envelope).toMatchObject({
      success: false,
      code: 'invalid_params',
    })
  })

  it('are deleted when disabled, manually or automatically', async () => {
    await site.db.deleteFrom('channel').execute()
    const channels = []
    for (let index = 0; index < 3; index++) channels.push(await addChannel(admin, upstream))
    const [byHand, byItself, used] = channels.map(({ id }) => id)
    await site.db.updateTable('channel').set({ status: 2 }).where('id', '=', byHand!).execute()
    await site.db.updateTable('channel').set({ status: 3 }).where('id', '=', byItself!).execute()

    expect(await admin.call(api.deleteDisabledChannels)).toBe(2)

    expect((await admin.call(api.listChannels)).map(({ id }) => id)).toEqual([used])
  })

  it('get missing or wrong abilities rebuilt', async () => {
    await site.db.deleteFrom('channel').execute()
    const lost = await addChannel(admin, upstream, { models: 'a,b' })
    const wrong = await addChannel(admin, upstream, { models: 'c' })
    await addChannel(admin, upstream, { models: 'd' })
    await site.db.deleteFrom('ability').where('channel_id', '=', lost.id).execute()
    await site.db.updateTable('ability').set({ model: 'z' }).where('channel_id', '=', wrong.id).execute()

    expect(await admin.call(api.fixChannels)).toBe(2)

    expect(await admin.call(api.fixChannels)).toBe(0)
    expect(await admin.call(api.listEnabledModels)).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('the channel list', () => {
  it('is sorted by priority or id and paged from page 0 with a total', async () => {
    await site.db.deleteFrom('channel').execute()
    for (const priority of [1, 3, 2]) await addChannel(admin, upstream, { priority })
    const priorities = async (query: Record<string, string | number | boolean>) =>
      (await admin.call(api.listChannels, { query })).map((channel) => channel.priority)

    expect(await priorities({ p: 0, page_size: 2 })).toEqual([3, 2])
    expect(await priorities({ p: 1, page_size: 2 })).toEqual([1])
    expect(await priorities({ p: 0, page_size: 10, id_sort: true })).toEqual([2, 3, 1])
    const { response } = await admin.send(api.listChannels, { query: { page_size: 1 } })
    expect(response.headers.get('x-total-count')).toBe('3')
  })

  it('groups channels by tag in tag mode, untagged ones last', async () => {
    await site.db.deleteFrom('channel').execute()
    for (const tag of ['b', 'a', '', 'b', 'c']) await addChannel(admin, upstream, { tag })
    const tags = async (p: number) => {
      const { response, envelope } = await admin.send(api.listChannels, { query: { p, page_size: 2, tag_mode: true } })
      const rows = api.listChannels.reply.parse(envelope.success && envelope.data)
      return { tags: rows.map(({ tag }) => tag), total: response.headers.get('x-total-count') }
    }

    expect(await tags(0)).toEqual({ tags: ['a', 'b', 'b'], total: '4' })
    expect(await tags(1)).toEqual({ tags: ['c', ''], total: '4' })
    expect(await tags(2)).toEqual({ tags: [], total: '4' })

    await addChannel(admin, upstream, { tag: 'd' })
    expect(await tags(1)).toEqual({ tags: ['c', 'd'], total: '5' })
    expect(await tags(2)).toEqual({ tags: [''], total: '5' })
  })
})

describe('the channel search', () => {
  const ids = new Map<string, number>()
  beforeAll(async () => {
    await site.db.deleteFrom('channel').execute()
    const rows = {
      one: { name: 'Harbour 100%', models: 'gpt-4o,o1', group: 'default', tag: 'east', key: 'sk-one\nsk-shared' },
      two: { name: 'harbour two', models: 'gpt-4o-mini', group: 'default,vip', tag: 'west', key: 'sk-shared' },
      three: { name: 'quay', models: 'claude', group: 'vip', type: 14, tag: '', key: 'sk-three' },
      four: { name: 'pier', models: 'claude', group: 'svip', tag: 'east', key: 'sk-four' },
    }
    for (const [name, row] of Object.entries(rows)) ids.set(name, (await addChannel(admin, upstream, row)).id)
    await admin.call(api.updateChannel, { body: { id: ids.get('four')!, status: 2 } })
  })

  it.each([
    [{}, ['four', 'three', 'two', 'one'], 4],
    [{ keyword: 'HARBOUR' }, ['two', 'one'], 2],
    [{ keyword: '100%' }, ['one'], 1],
    [{ keyword: '_' }, [], 0],
    [{ keyword: 'sk-shared' }, ['two', 'one'], 2],
    [{ keyword: 'sk-share' }, [], 0],
    [{ model: 'gpt-4o' }, ['two', 'one'], 2],
    [{ group: 'vip' }, ['three', 'two'], 2],
    [{ types: '14,999' }, ['three'], 1],
    [{ statuses: '2,3' }, ['four'], 1],
    [{ tags: 'east,west' }, ['four', 'two', 'one'], 3],
    [{ tags: 'east', statuses: '1' }, ['one'], 1],
    [{ keyword: 'harbour', group: 'vip', types: '1' }, ['two'], 1],
    [{ tag_mode: true }, ['four', 'one', 'two', 'three'], 3],
    [{ tag_mode: true, model: 'claude' }, ['four', 'three'], 2],
    [{ types: 'x' }, [], 0],
  ])('applies %o and finds %o', async (query, names, total) => {
    const { response, envelope } = await admin.send(api.searchChannels, { query: { id_sort: true, ...query } })

    const rows = api.searchChannels.reply.parse(envelope.success && envelope.data)
    expect(rows.map(({ id }) => id)).toEqual(names.map((name) => ids.get(name)))
    expect(response.headers.get('x-total-count')).toBe(String(total))
  })

  it('finds a channel by id', async () => {
    const id = ids.get('three')!

    expect((await admin.call(api.searchChannels, { query: { keyword: id } })).map((row) => row.id)).toContain(id)
  })
})

it('lists the models of public groups in natural order', async () => {
  await site.db.deleteFrom('channel').execute()
  const root = await site.signedIn('root')
  await root.call(api.updateOption, { body: { key: 'ModelPrice', value: '{"m-9":1,"m-10":1,"m-11":1}' } })
  await addChannel(admin, upstream, { models: 'm-10,m-9,unpriced', group: 'default' })
  await addChannel(admin, upstream, { models: 'm-11', group: 'svip' })

  expect(await admin.call(api.listOwnModels)).toEqual(['m-9', 'm-10'])
  expect(await admin.call(api.listEnabledModels)).toEqual(['m-9', 'm-10', 'm-11', 'unpriced'])
  expect(Object.keys(await admin.call(api.listOwnGroups))).toEqual(['default', 'vip'])
  expect(await admin.call(api.listGroups)).toEqual(['default', 'vip', 'svip'])
})

it('counts users, enabled channels and models by group', async () => {
  await site.db.deleteFrom('channel').execute()
  await addChannel(admin, upstream, { models: 'm-1,m-2', group: 'default,vip' })
  await addChannel(admin, upstream, { models: 'm-2', group: 'vip' })
  await addChannel(admin, upstream, { models: 'm-3', group: 'vip', disabled: true })
  const members = [await site.signedIn('user'), await site.signedIn('user')]
  const ids = members.map(({ userId }) => userId!)
  await site.db.updateTable('user').set({ group: 'vip' }).where('id', 'in', ids).execute()
  await site.db.updateTable('user').set({ deleted_at: new Date() }).where('id', '=', ids[0]!).execute()

  expect(await admin.call(api.countGroups)).toMatchObject({
    default: { channels: 1, models: 2 },
    vip: { users: 1, channels: 2, models: 2 },
    svip: { users: 0, channels: 0, models: 0 },
  })
})

it('suggests models by type and all together', async () => {
  const byType = await admin.call(api.listChannelModels)
  const known = await admin.call(api.listKnownModels)

  expect(byType['1']).toContain('gpt-4o')
  expect(known).toContainEqual({ id: 'gpt-4o', object: 'model', owned_by: 'openai' })
  expect(new Set(known.map(({ id }) => id)).size).toBe(known.length)
})
