import { api } from '@tidegate/contract'
import { modelHours } from '@tidegate/storage'
import { addChannel, apiClient, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSettlement, settle } from '../../test/usage-log.ts'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let root: ApiClient
let anonymous: ApiClient

beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
  anonymous = apiClient(site.url)
  const set = (key: string, value: unknown) =>
    root.call(api.updateOption, { body: { key, value: typeof value === 'string' ? value : JSON.stringify(value) } })
  await set('GroupRatio', { default: 1, vip: 0.5, inner: 2 })
  await set('UserUsableGroups', { vip: 'for the few' })
  await set('ModelPrice', { 'draw-1': 0.04 })
  await set('ModelRatio', { 'gpt-4o': 1.25, 'gpt-4o-mini': 0.075 })
  const upstream = { url: 'http://127.0.0.1:9' }
  await addChannel(root, upstream, { models: 'gpt-4o,draw-1,nameless', group: 'default,vip,inner' })
  await addChannel(root, upstream, { models: 'gpt-4o-mini', group: 'inner' })
  await addChannel(root, upstream, { models: 'gpt-4o', group: 'default', model_prefix: 'fast-' })
  await root.call(api.updateModelMapping, { body: { mapping: { auto: [{ model: 'gpt-4o', priorities: 1 }] } } })
})
afterAll(() => site.close())

describe('the price list', () => {
  it('shows anonymous readers the prices of new users, sorted, without other groups', async () => {
    const { data, group_ratio, usable_group } = await anonymous.call(api.getPricing)

    expect(data.map(({ model_name }) => model_name)).toEqual(['auto', 'draw-1', 'fast-gpt-4o', 'gpt-4o'])
    expect(group_ratio).toEqual({ default: 1, vip: 0.5 })
    expect(usable_group).toMatchObject({ vip: 'for the few' })
    expect(data.find(({ model_name }) => model_name === 'gpt-4o')).toMatchObject({
      quota_type: 0,
      model_ratio: 1.25,
      completion_ratio: 4,
      cache_ratio: 0.5,
      owner_by: 'OpenAI',
      enable_groups: ['default', 'vip'],
      context: 128_000,
      abilities: expect.arrayContaining(['vision', 'tools']),
    })
    expect(data.find(({ model_name }) => model_name === 'draw-1')).toMatchObject({ quota_type: 1, model_price: 0.04 })
    expect(data.find(({ model_name }) => model_name === 'auto')).toMatchObject({
      stands_for: 'gpt-4o',
      model_ratio: 1.25,
    })
  })

  it('leaves out unpriced models, except for users who accept them', async () => {
    const daring = await site.signedIn('user')
    await site.db
      .updateTable('user')
      .set({ setting: JSON.stringify({ accept_unset_model_ratio_model: true }) })
      .where('id', '=', daring.userId!)
      .execute()

    const { data } = await daring.call(api.getPricing)

    expect(data.find(({ model_name }) => model_name === 'nameless')).toMatchObject({ model_ratio: 37.5 })
  })

  it("shows the operator's completion ratio instead of the ratio of the family", async () => {
    const set = (ratios: object) =>
      root.call(api.updateOption, { body: { key: 'CompletionRatio', value: JSON.stringify(ratios) } })
    await set({ 'gpt-4o': 1 })

    const { data } = await anonymous.call(api.getPricing)

    await set({})
    expect(data.find(({ model_name }) => model_name === 'gpt-4o')).toMatchObject({ completion_ratio: 1 })
  })

  it('has the same models as the list of own models', async () => {
    const user = await site.signedIn('user')
    const admin = await site.signedIn('admin')

    const { data } = await user.call(api.getPricing)

    expect(await user.call(api.listOwnModels)).toEqual(data.map(({ model_name }) => model_name))
    expect(await admin.call(api.listUnpricedModels)).toEqual(['nameless'])
    const models = ['gpt-4o', 'nameless', 'draw-1', 'another']
    expect(await admin.call(api.findUnpricedModels, { body: { models } })).toEqual(['nameless', 'another'])
    await expect(user.call(api.listUnpricedModels)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('finds unpriced models of an unsaved channel by their billed names', async () => {
    const setRedirect = (value: string) =>
      root.call(api.updateOption, { body: { key: 'redirect_billing_enabled', value } })
    const find = (body: Omit<api.BodyInput<typeof api.findUnpricedModels>, 'models'>) =>
      root.call(api.findUnpricedModels, { body: { models: ['gpt-4o', 'another'], ...body } })
    const mapping = JSON.stringify({ 'gpt-4o': 'step', step: 'nameless', another: 'gpt-4o-mini' })

    expect(await find({ model_mapping: mapping })).toEqual(['gpt-4o'])
    expect(await find({ model_mapping: '{', model_prefix: 'tide/' })).toEqual(['another'])
    expect(await find({ model_mapping: '{"tide/another":"gpt-4o"}', model_prefix: 'tide/' })).toEqual([])
    await setRedirect('true')
    expect(await find({ model_mapping: mapping })).toEqual(['another'])
    expect(await find({ model_prefix: 'tide/' })).toEqual(['gpt-4o', 'another'])
    await setRedirect('false')
  })

  it('shows the price of models sold by searches or characters', async () => {
    const sold = { models: 'rerank-v3.5,tts-1', group: 'default' }
    await addChannel(root, { url: 'http://127.0.0.1:9' }, sold)

    const { data } = await anonymous.call(api.getPricing)
    const rowOf = (model: string) => data.find(({ model_name }) => model_name === model)

    expect(rowOf('rerank-v3.5')).toMatchObject({ quota_type: 1, model_price: 0.002 })
    expect(rowOf('tts-1')).toMatchObject({ quota_type: 0, model_ratio: 7.5 })
  })

  it('lists rates, tiers and fees with the group ratio', async () => {
    const card = {
      rates: { input: 2, cacheRead: 0.2, output: 10 },
      tiers: [
        { when: { inputAbove: 272_000 }, rates: { input: 4, output: 15 } },
        { when: { serviceTier: 'priority' }, multiply: 2 },
      ],
      fees: { webSearch: 0.01, imageBySizeQuality: { 'high 1024x1024': 0.04 }, webSearchInputBlock: 8000 },
    }
    await root.call(api.updateOption, { body: { key: 'ModelRates', value: JSON.stringify({ 'gpt-4o': card }) } })
    const rowIn = async (group?: string) => {
      const { data } = await anonymous.call(api.getPricing, { query: group ? { group } : {} })
      return data.find(({ model_name }) => model_name === 'gpt-4o')
    }

    expect(await rowIn()).toMatchObject({ priced_group: 'default', model_ratio: 1, completion_ratio: 5, ...card })
    expect(await rowIn('vip')).toMatchObject({
      priced_group: 'vip',
      model_ratio: 1,
      rates: { input: 1, cacheRead: 0.1, output: 5 },
      tiers: [
        { when: { inputAbove: 272_000 }, rates: { input: 2, output: 7.5 } },
        { when: { serviceTier: 'priority' }, multiply: 2 },
      ],
      fees: { webSearch: 0.005, imageBySizeQuality: { 'high 1024x1024': 0.02 }, webSearchInputBlock: 8000 },
    })
    expect((await rowIn('inner'))?.priced_group).toBe('default')
    await root.call(api.updateOption, { body: { key: 'ModelRates', value: '{}' } })
    expect((await rowIn())?.rates).toEqual({ input: 2.5, cacheRead: 1.25, output: 10 })
  })

  it('reflects price changes at once', async () => {
    await root.call(api.updateOption, { body: { key: 'ModelPrice', value: '{"draw-1":0.05}' } })

    const { data } = await anonymous.call(api.getPricing)

    expect(data.find(({ model_name }) => model_name === 'draw-1')?.model_price).toBe(0.05)
  })
})

describe('the metrics of a model', () => {
  it('cover the last 24 hours of this site', async () => {
    const now = Date.now()
    const hour = Math.floor(now / 3_600_000) * 3_600_000
    await modelHours.add(site.db, [
      { model: 'gpt-4o', hour, served: 97, failed: 3 },
      { model: 'gpt-4o', hour: hour - 48 * 3_600_000, served: 0, failed: 500 },
    ])
    const stream = (frt: number) =>
      createSettlement(1, new Date(now - frt), {
        completionTokens: 100,
        log: { isStream: true, useTimeMs: frt + 1000, other: { frt } },
      })
    await settle(site, [stream(200), stream(400), stream(3000)])

    const metrics = await anonymous.call(api.getModelFigures, { query: { model: 'gpt-4o' } })

    expect(metrics).toMatchObject({ calls: 100, availability: 0.97, first_token_p50: 400, tokens_per_second: 100 })
    expect(metrics.first_token_p95).toBeGreaterThan(2000)
    expect(metrics.hours).toEqual([{ hour: hour / 1000, calls: 100, failed: 3 }])
  })

  it('are empty without requests, and rejected for a model that is not offered', async () => {
    expect(await anonymous.call(api.getModelFigures, { query: { model: 'draw-1' } })).toEqual({ calls: 0, hours: [] })
    await expect(anonymous.call(api.getModelFigures, { query: { model: 'gpt-4o-mini' } })).rejects.toMatchObject({
      code: 'model_not_offered',
    })
  })
})
