import { describe, expect, it } from 'vitest'
import { errorMessage, type ApiError } from '../errors.ts'
import {
  defaultOptionText,
  OPTION_KEYS,
  OPTIONS,
  optionDefinition,
  parseOption,
  publicOptionRows,
  readSettings,
  type OptionKey,
} from './index.ts'

describe('readSettings', () => {
  it('returns defaults when nothing is stored', () => {
    const settings = readSettings(new Map())

    for (const key of OPTION_KEYS) expect(settings[key], key).toEqual(optionDefinition(key).default)
  })

  it('applies stored values over defaults, and ignores unknown keys', () => {
    const stored = new Map([
      ['QuotaPerUnit', '1000'],
      ['GroupRatio', '{"vip":0.5}'],
      ['FileUploadPermission', '10'],
    ])

    const settings = readSettings(stored)

    expect(settings.QuotaPerUnit).toBe(1000)
    expect(settings.GroupRatio).toEqual({ vip: 0.5 })
    expect(settings).not.toHaveProperty('FileUploadPermission')
  })

  it('uses the default for an invalid stored text, and reports it', () => {
    const reported: string[] = []

    const settings = readSettings(
      new Map([
        ['ModelRatio', '{"gpt-4o":'],
        ['RetryTimes', 'many'],
        ['AffEnabled', 'false'],
      ]),
      (key) => reported.push(key),
    )

    expect(settings.ModelRatio).toBe(OPTIONS.ModelRatio.default)
    expect(settings.RetryTimes).toBe(2)
    expect(settings.AffEnabled).toBe(false)
    expect(reported.toSorted()).toEqual(['ModelRatio', 'RetryTimes'])
  })
})

describe('the reason of an invalid value', () => {
  const reasonOf = (key: OptionKey, text: string, language: 'zh' | 'en') => {
    try {
      parseOption(key, text)
    } catch (error) {
      const { code, details } = error as ApiError
      return errorMessage(code, language, details)
    }
    return undefined
  }

  it.each([
    ['RebatePercentage', '101', '返佣百分比必须在0到100之间', 'the rebate percentage must be between 0 and 100'],
    ['GroupRatio', '{', '不是合法的 JSON 字符串', 'not a valid JSON text'],
    ['GroupRatio', '{"a":-1}', 'a：不能小于 0', 'a: must be at least 0'],
    ['GroupRatio', '[]', '必须是 JSON 对象', 'must be a JSON object'],
    ['RetryTimes', 'many', '请输入数字', 'must be a number'],
    ['RetryTimes', '1.5', '必须是整数', 'must be a whole number'],
    ['SMTPPort', '70000', '必须在 1 到 65535 之间', 'must be between 1 and 65535'],
    ['QuotaPerUnit', '0', '必须大于 0', 'must be greater than 0'],
    ['AffEnabled', 'maybe', '只能是 true、false', 'must be one of true, false'],
    ['global.auto_retry_status_codes', '9xx', '0：请使用 429 或 5xx 这样的状态码', '0: must look like 429 or 5xx'],
    [
      'Logo',
      'http://a.example/x.png',
      '请输入以 https:// 开头的地址或本站路径；浏览器会拦截 http 图片',
      'browsers block http images',
    ],
    ['security.console_allowed_addresses', 'home', '0：不是 IP 地址或网段', '0: not an IP address or range'],
    ['ModelRates', '{"m":{}}', 'm：既没有单价也没有费用', 'm: has neither rates nor fees'],
  ] as const)('explains %s = %s in Chinese and English', (key, text, zh, en) => {
    expect(reasonOf(key, text, 'zh')).toBe(`设置项 ${key} 的值不合法：${zh}`)
    expect(reasonOf(key, text, 'en')).toContain(en)
    expect(reasonOf(key, text, 'en')).not.toMatch(/[\u4e00-\u9fff]/)
  })

  it('is available in Chinese for every option', () => {
    for (const key of OPTION_KEYS) {
      const reason = reasonOf(key, '\u0001 no such thing', 'zh')
      expect(reason?.replace(`设置项 ${key} 的值不合法：`, '') ?? '，', key).toMatch(/[\u4e00-\u9fff，]/)
    }
  })
})

describe('publicOptionRows', () => {
  it('returns every option that is not secret as text, in the order of the registry', () => {
    const rows = publicOptionRows(readSettings(new Map()))

    expect(rows.map(({ key }) => key)).toEqual(OPTION_KEYS.filter((key) => !optionDefinition(key).secret))
    for (const { key, value } of rows) expect(value, key).toBe(defaultOptionText(key))
  })

  it('omits secrets but not the Turnstile site key', () => {
    const settings = readSettings(
      new Map([
        ['oidc.client_secret', 'hidden-1'],
        ['SMTPToken', 'hidden-2'],
        ['TurnstileSiteKey', 'site'],
      ]),
    )

    const rows = publicOptionRows(settings)

    expect(JSON.stringify(rows)).not.toContain('hidden')
    expect(rows).toContainEqual({ key: 'TurnstileSiteKey', value: 'site' })
  })
})
