import { describe, expect, it } from 'vitest'
import { checkFields, checkOther } from './check-fields.ts'

const settings = { GroupRatio: { default: 1, vip: 2 } }
const stored = { type: 1, base_url: '', other: '' }
const check = (changes: Parameters<typeof checkFields>[0]) => checkFields(changes, stored, settings)

describe('channel fields', () => {
  it('stay unchanged when absent or null', () => {
    expect(check({})).toEqual({})
    expect(check({ name: null, weight: undefined, setting: null })).toEqual({})
  })

  it.each([
    [{ name: '名'.repeat(256) }, 'channel_name_too_long'],
    [{ models: ' , ' }, 'channel_models_required'],
    [{ models: `ok,${'m'.repeat(256)}` }, 'channel_model_name_too_long'],
    [{ type: 9999 }, 'channel_type_unknown'],
    [{ type: 21 }, 'channel_type_unknown'],
    [{ type: 41, base_url: '', other: '' }, 'channel_region_required'],
    [{ type: 41, base_url: '', other: '{"gemini-2.5-pro": "us-east5"}' }, 'channel_region_invalid'],
    [{ type: 8 }, 'channel_base_url_required'],
    [{ base_url: 'ftp://x' }, 'channel_base_url_invalid'],
    [{ base_url: 'api.example.com' }, 'channel_base_url_invalid'],
    [{ group: 'nobody' }, 'group_unknown'],
    [{ group: 'default,constructor' }, 'group_unknown'],
    [{ model_mapping: '[]' }, 'channel_json_invalid'],
    [{ model_mapping: '{"a":' }, 'channel_json_invalid'],
    [{ model_mapping: '{"a":1}' }, 'channel_model_mapping_invalid'],
    [{ status_code_mapping: '{"400":"5xx"}' }, 'channel_status_code_mapping_invalid'],
    [{ status_code_mapping: '{"x":"500"}' }, 'channel_status_code_mapping_invalid'],
    [{ status_code_mapping: '{"400":99}' }, 'channel_status_code_mapping_invalid'],
    [{ setting: '"proxy"' }, 'channel_json_invalid'],
    [{ setting: '{"proxy":"ftp://p"}' }, 'channel_proxy_invalid'],
    [{ setting: '{"proxy":5}' }, 'channel_setting_invalid'],
    [{ setting: '{"force_format":"yes"}' }, 'channel_setting_invalid'],
    [{ setting: '{"thinking_to_content":1}' }, 'channel_setting_invalid'],
    [{ setting: '{"stream_support":"SOMETIMES"}' }, 'channel_setting_invalid'],
    [{ setting: '{"openai_api":"both"}' }, 'channel_setting_invalid'],
    [{ param_override: '[1]' }, 'channel_json_invalid'],
    [{ header_override: '[]' }, 'channel_json_invalid'],
    [{ header_override: '{"Host":"elsewhere.example"}' }, 'channel_header_override_invalid'],
    [{ header_override: '{"x-a":"{client_header:cookie}"}' }, 'channel_header_override_invalid'],
    [{ priority: -1000 }, 'channel_priority_invalid'],
    [{ weight: -1 }, 'channel_weight_invalid'],
    [{ tag: 't'.repeat(65) }, 'channel_tag_too_long'],
    [{ tag: 'a,b' }, 'channel_tag_too_long'],
  ])('reject %o', (changes, code) => {
    expect(() => check(changes)).toThrow(expect.objectContaining({ code }))
  })

  it.each([
    [{ name: ' 名'.repeat(100) }, { name: ' 名'.repeat(100).trim() }],
    [{ models: ' b , a,b ' }, { models: 'b,a' }],
    [{ group: 'vip , default' }, { group: 'vip,default' }],
    [{ base_url: ' https://x.example/v1// ' }, { base_url: 'https://x.example/v1' }],
    [{ model_mapping: ' {"a":"b"} ' }, { model_mapping: '{"a":"b"}' }],
    [{ model_mapping: '{"__proto__":"x","a":"b","constructor":"y","prototype":1}' }, { model_mapping: '{"a":"b"}' }],
    [{ status_code_mapping: '{"400":"500","404":503}' }, { status_code_mapping: '{"400":"500","404":503}' }],
    [{ setting: '{"proxy":"socks5://u:p@h:1","later":{}}' }, { setting: '{"proxy":"socks5://u:p@h:1","later":{}}' }],
    [{ setting: '{"stream_support":"NON_STREAM_ONLY","openai_api":"responses"}' }, {}],
    [{ header_override: ' {"X-Team":"blue"} ' }, { header_override: '{"X-Team":"blue"}' }],
    [{ param_override: '{"temperature":null}' }, { param_override: '{"temperature":null}' }],
    [
      { priority: -999, weight: 0 },
      { priority: -999, weight: 0 },
    ],
    [{ auto_ban: 0 as const }, { auto_ban: false }],
    [
      { type: 33, base_url: '' },
      { type: 33, base_url: '' },
    ],
    [
      { type: 41, base_url: '', other: 'us-east5' },
      { base_url: '', other: 'us-east5' },
    ],
    [
      { tag: '', test_model: '', model_prefix: ' p/ ' },
      { tag: '', test_model: '', model_prefix: 'p/' },
    ],
  ])('accept %o', (changes, columns) => {
    expect(check(changes)).toMatchObject(columns)
  })
})

describe('the free field', () => {
  it.each([
    ['', 'channel_region_required'],
    ['US East', 'channel_region_invalid'],
    ['{"claude":"us-east5"}', 'channel_region_invalid'],
    ['{"default":1}', 'channel_region_invalid'],
    ['["default"]', 'channel_region_invalid'],
    ['{"default":', 'channel_region_invalid'],
  ])('rejects the region %j for Vertex AI', (text, code) => {
    expect(() => checkOther(41, text)).toThrow(expect.objectContaining({ code }))
  })

  it.each(['global', 'us-central1', '{"default":"us-central1","claude-x":"global"}'])(
    'accepts the region %j for Vertex AI',
    (text) => {
      expect(checkOther(41, ` ${text} `)).toBe(text)
    },
  )

  it('depends on the channel type', () => {
    expect(checkOther(1, 'as it is')).toBe('as it is')
    expect(checkOther(18, '')).toBe('v2.1')
  })
})
