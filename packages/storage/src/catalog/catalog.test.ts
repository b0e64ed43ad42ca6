import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { buildCatalog } from './catalog.ts'
import { catalogChannel, splitKeys, type CatalogChannelRow } from './catalog-channel.ts'

const row: CatalogChannelRow = {
  id: 1,
  type: 1,
  name: 'first',
  status: 1,
  sealed_key: 'sealed',
  base_url: 'https://upstream.example',
  models: 'gpt-4o, gpt-4o-mini,',
  group: 'default,vip',
  model_mapping: '{"gpt-4o":"gpt-4o-2024"}',
  status_code_mapping: '{"429":"503","400":500}',
  priority: 5,
  weight: 2,
  auto_ban: true,
  test_model: 'gpt-4o-mini',
  tag: 'tag',
  model_prefix: 'p/',
  setting: '{"proxy":"socks5://host"}',
  param_override: '{"temperature":0}',
  header_override: '{"x-team":"blue"}',
  system_prompt: 'be kind',
  max_input_tokens: 9,
  openai_organization: 'org',
  other: 'v1',
}

describe('a catalog channel', () => {
  it('parses its fields once, at load', () => {
    expect(catalogChannel(row, 'a\nb')).toEqual({
      id: 1,
      type: 1,
      name: 'first',
      status: 1,
      enabled: true,
      keys: ['a', 'b'],
      disabledKeys: [],
      baseUrl: 'https://upstream.example',
      models: ['gpt-4o', 'gpt-4o-mini'],
      groups: ['default', 'vip'],
      modelMapping: new Map([['gpt-4o', 'gpt-4o-2024']]),
      statusCodeMapping: new Map([
        [429, 503],
        [400, 500],
      ]),
      priority: 5,
      weight: 2,
      autoBan: true,
      testModel: 'gpt-4o-mini',
      tag: 'tag',
      modelPrefix: 'p/',
      setting: { proxy: 'socks5://host' },
      paramOverride: { temperature: 0 },
      headerOverride: new Map([['x-team', 'blue']]),
      systemPrompt: 'be kind',
      maxInputTokens: 9,
      openaiOrganization: 'org',
      other: 'v1',
      unreadable: [],
    })
  })

  it('reads blank fields as empty values', () => {
    const channel = catalogChannel(
      { ...row, model_mapping: '', status_code_mapping: ' ', setting: '', param_override: '' },
      'key',
    )

    expect(channel.unreadable).toEqual([])
    expect([channel.modelMapping.size, channel.statusCodeMapping.size]).toEqual([0, 0])
    expect([channel.setting, channel.paramOverride]).toEqual([{}, {}])
  })

  it('lists the fields that could not be parsed', () => {
    const channel = catalogChannel(
      { ...row, model_mapping: '{"a":1}', status_code_mapping: '{"x":"y"}', setting: '[]', param_override: '{' },
      'key',
    )

    expect(channel.unreadable).toEqual(['modelMapping', 'statusCodeMapping', 'setting', 'paramOverride'])
    expect(channel.enabled).toBe(true)
  })

  it('is disabled without a key that can be decrypted', () => {
    expect(catalogChannel(row, undefined)).toMatchObject({ enabled: false, keys: [], unreadable: ['keys'] })
  })

  it('splits keys at commas and line breaks, except when the key is a document', () => {
    expect(splitKeys(1, ' a , b\r\n\nc,')).toEqual(['a', 'b', 'c'])
    expect(splitKeys(41, ' {"a":1,\n"b":2} ')).toEqual(['{"a":1,\n"b":2}'])
  })
})

describe('a catalog', () => {
  const channels = [
    catalogChannel({ ...row, id: 3 }, 'key'),
    catalogChannel({ ...row, id: 2 }, 'key'),
    catalogChannel({ ...row, id: 4, status: 2 }, 'key'),
    catalogChannel({ ...row, id: 5 }, undefined),
  ]
  const abilities = [3, 2, 4, 5, 99].map((channelId) => ({ group: 'default', model: 'gpt-4o', channelId }))
  const catalog = buildCatalog({
    version: 8,
    settings: readSettings(new Map()),
    channels,
    abilities: [...abilities, { group: 'vip', model: 'o1', channelId: 4 }, { group: 'pro', model: 'b', channelId: 2 }],
  })

  it('finds the enabled channels of a group and model', () => {
    expect(catalog.channelsFor('default', 'gpt-4o').map(({ id }) => id)).toEqual([2, 3])
    expect(catalog.channelsFor('default', 'unknown')).toEqual([])
    expect(catalog.channelsFor('unknown', 'gpt-4o')).toEqual([])
  })

  it('lists only groups and models that an enabled channel serves', () => {
    expect([...catalog.groups]).toEqual(['default', 'pro'])
    expect(catalog.modelsFor('pro')).toEqual(['b'])
    expect(catalog.modelsFor('vip')).toEqual([])
  })

  it('includes disabled channels in the full list', () => {
    expect([...catalog.channels.keys()]).toEqual([3, 2, 4, 5])
  })
})
