import { describe, expect, it } from 'vitest'
import { ApiError } from '../errors.ts'
import { parseOption, type OptionKey } from './index.ts'

interface Example {
  keys: OptionKey[]
  accepted: string[]
  rejected: string[]
}

/** Each rule with texts on either side of it. */
const RULES: Record<string, Example> = {
  'a flag is true or false': {
    keys: ['AffEnabled', 'oidc.enabled'],
    accepted: ['true', 'false', ' true '],
    rejected: ['', '1', 'yes', 'TRUE'],
  },
  'quota is a whole number from 0': {
    keys: [
      'QuotaForNewUser',
      'QuotaForInviter',
      'QuotaForInvitee',
      'PreConsumedQuota',
      'CheckInQuota',
      'CheckInMaxQuota',
    ],
    accepted: ['0', '500000'],
    rejected: ['', '-1', '1.5', 'abc', '1e300', '0x10', 'Infinity', '9007199254740993'],
  },
  'quota per unit is above 0': { keys: ['QuotaPerUnit'], accepted: ['0.5', '500000'], rejected: ['0', '-1', ''] },
  'counters start at 0': {
    keys: [
      'RetryTimes',
      'StreamCacheQueueLength',
      'LogRetentionDays',
      'LogRetentionGigabytes',
      'LogChatContentDays',
      'StoredResponseDays',
      'QuotaRemindThreshold',
    ],
    accepted: ['0', '30'],
    rejected: ['-1', '0.5', ''],
  },
  'the rebate is a percentage with two decimals': {
    keys: ['RebatePercentage'],
    accepted: ['0', '0.07', '12.25', '100'],
    rejected: ['-0.01', '100.01', '1.005', 'ten'],
  },
  'the export interval is at least a minute': { keys: ['DataExportInterval'], accepted: ['1'], rejected: ['0', '1.5'] },
  'the default interval is hour, day or week': {
    keys: ['DataExportDefaultTime'],
    accepted: ['hour', 'day', 'week'],
    rejected: ['', 'month', 'Hour'],
  },
  'the slow channel threshold is not negative': {
    keys: ['ChannelDisableThreshold'],
    accepted: ['0', '2.5'],
    rejected: ['-1', 'slow'],
  },
  'rate limits start at 0, successes at 1': {
    keys: ['ModelRequestRateLimitSuccessCount'],
    accepted: ['1', '1000'],
    rejected: ['0', '-1', '1.5'],
  },
  'a limit of 0 means no limit': {
    keys: ['ModelRequestRateLimitCount', 'ModelRequestRateLimitDurationMinutes'],
    accepted: ['0', '60'],
    rejected: ['-1', ''],
  },
  'the Gemini budget is a share from 0.002': {
    keys: ['gemini.thinking_adapter_budget_tokens_percentage'],
    accepted: ['0.002', '1'],
    rejected: ['0.001', '1.01', '0'],
  },
  'the Claude budget is a share from 0.1': {
    keys: ['claude.thinking_adapter_budget_tokens_percentage'],
    accepted: ['0.1', '1'],
    rejected: ['0.09', '1.1'],
  },
  'the retry count is from 1 to 10': {
    keys: ['global.auto_retry_count'],
    accepted: ['1', '10'],
    rejected: ['0', '11', '2.5'],
  },
  'the ping interval is at least one second': {
    keys: ['general_setting.ping_interval_seconds'],
    accepted: ['1', '60'],
    rejected: ['0', '0.5'],
  },
  'retry status codes consist of three digits or x': {
    keys: ['global.auto_retry_status_codes'],
    accepted: ['', '429', '5xx, 4xx', '50X,xxx'],
    rejected: ['5', '5xxx', '600', '5yx', '429;500', '-29'],
  },
  'an exempt group is a group name or blank': {
    keys: ['global.rate_limit_exempt_group', 'global.safe_check_exempt_group'],
    accepted: ['', 'bulk-ok', '批量'],
    rejected: ['a,b', 'a\nb', 'g'.repeat(65)],
  },
  'prices and ratios are objects of numbers from 0': {
    keys: ['ModelPrice', 'ModelRatio', 'CompletionRatio', 'CacheRatio', 'GroupRatio', 'TopupGroupRatio'],
    accepted: ['{}', '{"gpt-4o":1.25}', '{"free":0}', ''],
    rejected: [
      '{"gpt-4o":}',
      'null',
      '[]',
      '[1]',
      '1',
      '{"m":-1}',
      '{"m":"1"}',
      '{"m":null}',
      '{"m":1e999}',
      '{"":1}',
      '{" m":1}',
      '{"__proto__":1}',
      '{"constructor":1}',
      '{"toString":1}',
    ],
  },
  'group names contain no comma': {
    keys: ['GroupRatio', 'TopupGroupRatio'],
    accepted: ['{"vip 2":1}'],
    rejected: ['{"a,b":1}'],
  },
  'usable groups have a description': {
    keys: ['UserUsableGroups'],
    accepted: ['{"default":"Everyone"}', '{"vip":""}'],
    rejected: ['{"default":1}', '[]', '{"__proto__":"x"}', '{"a,b":"x"}'],
  },
  'automatic groups are a list of names': {
    keys: ['AutoGroups'],
    accepted: ['[]', '["default","vip"]'],
    rejected: ['{}', '[1]', '["a,b"]', '[""]', 'default'],
  },
  'fallback prices are blank or at least 0': {
    keys: ['fallback_single_price', 'fallback_input_ratio', 'fallback_completion_ratio'],
    accepted: ['', ' ', '0', '0.02'],
    rejected: ['-1', 'x', 'NaN'],
  },
  'chat links are a list of single names': {
    keys: ['Chats'],
    accepted: ['[]', '[{"App":"app://open?key={key}&url={address}"}]', '[{"Web":"https://chat.example/?k={key}"}]'],
    rejected: [
      '{}',
      '[{}]',
      '[{"a":"https://a.example","b":"https://b.example"}]',
      '[{"a":1}]',
      '[{"a":"no scheme"}]',
      '[{"a":"javascript:alert(1)"}]',
      '[{"a":"DATA:text/html,x"}]',
      '["https://a.example"]',
      '[',
    ],
  },
  'safety settings name thresholds': {
    keys: ['gemini.safety_settings'],
    accepted: ['{"default":"OFF"}', '{"HARM_CATEGORY_CIVIC_INTEGRITY":"BLOCK_ONLY_HIGH"}'],
    rejected: ['{"default":""}', '{"default":"off"}', '{"default":true}', '[]'],
  },
  'API versions fit in a path': {
    keys: ['gemini.version_settings'],
    accepted: ['{"default":"v1"}', '{"default":"v1beta"}', '{"m":"v1alpha2"}'],
    rejected: ['{"default":"v1/../x"}', '{"default":""}', '{"default":1}'],
  },
  'model lists are lists of names': {
    keys: ['gemini.supported_imagine_models', 'gemini.models_supported_thinking_budget'],
    accepted: ['[]', '["gemini-2.5-pro"]'],
    rejected: ['{}', '[""]', '[1]', 'gemini-2.5-pro'],
  },
  'model headers map models to headers and their values': {
    keys: ['claude.model_headers_settings'],
    accepted: ['{}', '{"claude-opus-4-1":{"anthropic-beta":["a","b"]}}'],
    rejected: [
      '[]',
      '{"m":[]}',
      '{"m":{"h":"v"}}',
      '{"m":{"bad name":["v"]}}',
      String.raw`{"m":{"h":["v\r\nX-Other: 1"]}}`,
    ],
  },
  'maximum tokens are whole numbers above 0': {
    keys: ['claude.default_max_tokens'],
    accepted: ['{"default":8192}'],
    rejected: ['{"default":0}', '{"default":1.5}', '{"default":"8192"}'],
  },
  'a virtual model has distinct real targets': {
    keys: ['global_model_mapping'],
    accepted: ['{}', '{"mapping":{}}', '{"mapping":{"best":[{"model":"gpt-5","priorities":0},{"model":"glm-5"}]}}'],
    rejected: [
      '[]',
      '{"mapping":{"":[{"model":"a"}]}}',
      '{"mapping":{"v":[]}}',
      '{"mapping":{"v":[{"model":" "}]}}',
      '{"mapping":{"v":[{"model":"a"},{"model":"a"}]}}',
      '{"mapping":{"v":[{"model":"a","priorities":-1}]}}',
      '{"mapping":{"v":[{"model":"a","priorities":0.5}]}}',
      '{"mapping":{"v":[{"model":"w"}],"w":[{"model":"a"}]}}',
      '{"mapping":{"__proto__":[{"model":"a"}]}}',
    ],
  },
  'addresses are http or https': {
    keys: [
      'ServerAddress',
      'WorkerUrl',
      'PayAddress',
      'CustomCallbackAddress',
      'WeChatServerAddress',
      'oidc.well_known',
    ],
    accepted: ['', 'https://gateway.example', 'http://10.0.0.2:3000/base'],
    rejected: ['gateway.example', 'ftp://a.example', 'javascript:alert(1)', '/path', 'https://'],
  },
  'the audit webhook is https': {
    keys: ['audit.webhook_url'],
    accepted: ['', 'https://siem.example/in?x=1'],
    rejected: ['http://siem.example', 'siem.example', 'tcp://siem.example:1'],
  },
  'the syslog address names protocol, host and port': {
    keys: ['audit.syslog_address'],
    accepted: ['', 'tls://siem.example:6514', 'udp://10.0.0.2:514', 'tcp://[2001:db8::7]:65535'],
    rejected: [
      'siem.example:514',
      'tls://siem.example',
      'https://siem.example:443',
      'udp://a b:1',
      'tcp://a:0',
      'tcp://a:65536',
    ],
  },
  'links may also be paths of this site': {
    keys: ['TopUpLink', 'general_setting.docs_link'],
    accepted: ['', 'https://shop.example/codes?a=1', 'http://shop.example', '/logo.png'],
    rejected: ['logo.png', '//evil.example', String.raw`/\evil.example`, 'javascript:alert(1)', 'data:text/html,x'],
  },
  'images are https or paths of this site, since browsers block http images': {
    keys: ['Logo', 'WeChatAccountQRCodeImageURL'],
    accepted: ['', 'https://shop.example/logo.png', '/logo.png'],
    rejected: ['logo.png', 'http://shop.example/logo.png', '//evil.example', 'data:text/html,x'],
  },
  'the price of a dollar is above 0': { keys: ['Price'], accepted: ['7.3', '0.01'], rejected: ['0', '-1', ''] },
  'the minimum top-up is at least one dollar': { keys: ['MinTopUp'], accepted: ['1', '10'], rejected: ['0', '1.5'] },
  'a port is from 1 to 65535': { keys: ['SMTPPort'], accepted: ['1', '65535'], rejected: ['0', '65536', '25.5', ''] },
  'the mail server is a host': {
    keys: ['SMTPServer'],
    accepted: ['', 'smtp.example.com'],
    rejected: ['smtp://a.example', 'a b', 'user@host'],
  },
  'the sender is one address': {
    keys: ['SMTPFrom'],
    accepted: ['', 'noreply@example.com'],
    rejected: ['noreply', 'a@b.example,c@d.example', 'a@b.example\r\nBcc: x@y.example', 'a@b.example; c@d.example'],
  },
  'mail domains are domains': {
    keys: ['EmailDomainWhitelist'],
    accepted: ['', 'Example.com, mail.example.org', 'xn--fiq228c.com'],
    rejected: ['@example.com', 'example', 'a@b.com', '-a.com', 'a..com', '*.example.com'],
  },
  'trust levels go from 0 to 4': { keys: ['LinuxDOMinimumTrustLevel'], accepted: ['0', '4'], rejected: ['-1', '5'] },
  'the proxy provider is a known one': {
    keys: ['ReverseProxyProvider'],
    accepted: ['nginx', 'cloudflare'],
    rejected: ['', 'apache', 'Nginx'],
  },
  'one-line texts contain no line break': {
    keys: ['SystemName', 'EpayId', 'GitHubClientId', 'GitHubClientSecret', 'TurnstileSiteKey'],
    accepted: ['', ' spaced ', '海门'],
    rejected: ['a\nb', 'x'.repeat(1025)],
  },
  'pages have a size limit': {
    keys: ['Notice', 'Footer', 'global_js'],
    accepted: ['', '# Hello\n\n<b>there</b>'],
    rejected: ['x'.repeat(1_000_001)],
  },
  'word lists have a maximum line length': {
    keys: ['SensitiveWords', 'AutomaticDisableKeywords'],
    accepted: ['', 'one\ntwo', 'regex:^a+$'],
    rejected: ['x'.repeat(1025)],
  },
}

const accepts = (key: OptionKey, text: string) => {
  try {
    parseOption(key, text)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
const shorten = (text: string) => (text.length > 100 ? `${text.length} characters` : text)

it.each(Object.entries(RULES))('%s', (_rule, { keys, accepted, rejected }) => {
  const wronglyRejected = keys.flatMap((key) =>
    accepted.filter((text) => !accepts(key, text)).map((text) => [key, text]),
  )
  const wronglyAccepted = keys.flatMap((key) =>
    rejected.filter((text) => accepts(key, text)).map((text) => [key, shorten(text)]),
  )

  expect({ wronglyRejected, wronglyAccepted }).toEqual({ wronglyRejected: [], wronglyAccepted: [] })
})

describe('a rejected text', () => {
  it.each(['Notice', 'SystemName', 'SMTPToken', 'SensitiveWords', 'TopUpLink'] as const)(
    '%s rejects NUL characters',
    (key) => {
      expect(() => parseOption(key, 'https://a.example/\0')).toThrow(/NUL/)
    },
  )

  it('names the option and the path of the problem', () => {
    expect(() => parseOption('ModelRatio', '{"gpt-4o":-1}')).toThrow(/ModelRatio.*gpt-4o: must be at least 0/)
    expect(() => parseOption('ModelRatio', 'nonsense')).toThrow('not a valid JSON text')
  })
})

describe('an accepted text', () => {
  it.each([
    ['ServerAddress', 'https://gateway.example/', 'https://gateway.example'],
    ['oidc.token_endpoint', 'https://id.example/token/', 'https://id.example/token/'],
    ['SystemName', '  ', 'Tidegate'],
    ['global.auto_retry_status_codes', ' 5XX,,429, 5xx', ['5xx', '429']],
    ['EmailDomainWhitelist', 'Example.COM,example.com', ['example.com']],
    ['SensitiveWords', 'one\r\n\n  two \none', ['one', 'two']],
    ['fallback_input_ratio', ' ', undefined],
    ['GroupRatio', '{"vip":0.5}', { vip: 0.5 }],
    ['global_model_mapping', '{}', { mapping: {} }],
  ] as const)('is normalized: %s', (key, text, value) => {
    expect(parseOption(key, text)).toEqual(value)
  })

  it('parses maps without inherited names', () => {
    const ratios = parseOption('ModelRatio', '{"gpt-4o":1.25}')

    expect(ratios['gpt-4o']).toBe(1.25)
    expect(ratios['constructor']).toBeUndefined()
    expect(ratios['__proto__']).toBeUndefined()
  })
})
