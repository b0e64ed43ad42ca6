import { api } from '@tidegate/contract'
import { addChannel, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../test-site.ts'

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
  it('can be routed to as soon as adding it is answered', async () => {
    const channel = await addChannel(admin, upstream, {
      models: ' gpt-a , gpt-b,gpt-a ',
      group: 'default,vip',
      key: 'sk-1',
    })

    const routed = site.deps.catalog().channelsFor('vip', 'gpt-b')
    expect(channel).toMatchObject({ models: 'gpt-a,gpt-b', group: 'default,vip', status: 1, auto_ban: 1 })
    expect(routed).toMatchObject([{ id: channel.id, keys: ['sk-1'], baseUrl: upstream.url }])
  })

  it('keeps its key sealed at rest and out of every list', async () => {
    const channel = await addChannel(admin, upstream, { key: 'sk-very-secret-key' })

    const row = await site.db.selectFrom('channel').selectAll().where('id', '=', channel.id).executeTakeFirstOrThrow()
    const listed = await admin.send(api.listChannels)

    expect(JSON.stringify(row)).not.toContain('very-secret')
    expect(JSON.stringify(listed.envelope)).not.toMatch(/very-secret|sealed/)
  })

  it.each([
    [{ name: ' ' }, 'channel_name_key_required', '请填写渠道名称和渠道密钥！'],
    [{ key: '' }, 'channel_name_key_required', '请填写渠道名称和渠道密钥！'],
    [{ models: ' , ' }, 'channel_models_required', '请至少选择一个模型！'],
    [{ type: 9999 }, 'channel_type_unknown', '不支持的渠道类型：9999'],
    [{ type: 8, base_url: '' }, 'channel_base_url_required', '该类型的渠道必须填写接口地址'],
    [{ base_url: 'ftp://x' }, 'channel_base_url_invalid', '接口地址必须是 http 或 https 地址'],
    [{ model_mapping: '[1]' }, 'channel_json_invalid', 'model_mapping 不是合法的 JSON 对象'],
    [{ group: 'nobody' }, 'group_unknown', '分组不存在：nobody'],
    [{ priority: -1000 }, 'invalid_input', '输入不合法：priority'],
  ])('is refused with %o', async (change, code, message) => {
    const body = { type: 1, name: 'c', key: 'k', base_url: upstream.url, models: 'm', group: 'default', ...change }

    const { envelope } = await admin.send(api.createChannel, { body })

    expect(envelope).toEqual({ success: false, code, message })
  })

  it('is no longer routed to once it is removed', async () => {
    const channel = await addChannel(admin, upstream, { models: 'only-here' })
    expect(site.deps.catalog().channelsFor('default', 'only-here')).toHaveLength(1)

    await admin.call(api.deleteChannel, { path: { id: channel.id } })

    expect(site.deps.catalog().channelsFor('default', 'only-here')).toEqual([])
    await expect(admin.call(api.deleteChannel, { path: { id: channel.id } })).rejects.toMatchObject({
      code: 'channel_not_found',
    })
  })
})

it('lists by priority, or by id when asked, a page at a time from page 0', async () => {
  await site.db.deleteFrom('channel').execute()
  for (const priority of [1, 3, 2]) await addChannel(admin, upstream, { priority })
  const priorities = async (query: Record<string, string | number | boolean>) =>
    (await admin.call(api.listChannels, { query })).map((channel) => channel.priority)

  expect(await priorities({ p: 0, page_size: 2 })).toEqual([3, 2])
  expect(await priorities({ p: 1, page_size: 2 })).toEqual([1])
  expect(await priorities({ p: 0, page_size: 10, id_sort: true })).toEqual([2, 3, 1])
})

it('tells a user which models the groups open to everybody reach, in natural order', async () => {
  await site.db.deleteFrom('channel').execute()
  await addChannel(admin, upstream, { models: 'm-10,m-9', group: 'default' })
  await addChannel(admin, upstream, { models: 'm-11', group: 'svip' })

  expect(await admin.call(api.listOwnModels)).toEqual(['m-9', 'm-10'])
  expect(Object.keys(await admin.call(api.listOwnGroups))).toEqual(['default', 'vip'])
  expect(await admin.call(api.listGroups)).toEqual(['default', 'vip', 'svip'])
})
