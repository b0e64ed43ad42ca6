import { z } from 'zod'
import { ApiError, type LocalizedText } from '../errors.ts'
import { OPTION_KEYS, optionDefinition, type OptionKey, OPTIONS, type Settings } from './registry.ts'

const NUL = { zh: '不能包含空字符（NUL）', en: 'a NUL character cannot be stored' }

/**
 * Settings from stored texts and defaults. A stored text that does not parse is reported and replaced by the default.
 */
export function readSettings(
  stored: ReadonlyMap<string, string>,
  onInvalid: (key: OptionKey, error: unknown) => void = () => {},
): Settings {
  const entries = OPTION_KEYS.map((key) => {
    const definition = optionDefinition(key)
    const text = stored.get(key)
    if (text === undefined) return [key, definition.default]
    try {
      return [key, definition.parse(text)]
    } catch (error) {
      onInvalid(key, error)
      return [key, definition.default]
    }
  })
  return Object.fromEntries(entries) as Settings
}

/** Parses a submitted text, or throws an `ApiError` with the reason. */
export function parseOption<Key extends OptionKey>(key: Key, text: string): Settings[Key] {
  // PostgreSQL rejects NUL in text.
  if (text.includes('\0')) throw new ApiError('option_invalid', { key, reason: NUL })
  try {
    return optionDefinition(key).parse(text) as Settings[Key]
  } catch (error) {
    throw new ApiError('option_invalid', { key, reason: reasonOf(key, error) }, { cause: error })
  }
}

/** Options that are not secret, as text and in the order of the settings page. */
export function publicOptionRows(settings: Settings): { key: OptionKey; value: string }[] {
  return OPTION_KEYS.filter((key) => !optionDefinition(key).secret).map((key) => ({
    key,
    value: optionDefinition(key).format(settings[key]),
  }))
}

type Issue = z.core.$ZodIssue

/** Why a text is not a valid value of an option, in both languages: the first problem and its path. */
function reasonOf(key: OptionKey, error: unknown): LocalizedText {
  const issue = error instanceof z.ZodError ? error.issues[0] : undefined
  if (issue === undefined) return { zh: '无法读取', en: 'not readable' }
  const reason = SPECIFIED_TEXTS[key] && issue.path.length === 0 ? SPECIFIED_TEXTS[key] : phraseOf(key, issue)
  const path = issue.path.join('.')
  return path === '' ? reason : { zh: `${path}：${reason.zh}`, en: `${path}: ${reason.en}` }
}

function phraseOf(key: OptionKey, issue: Issue): LocalizedText {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? { zh: '类型不正确', en: 'has the wrong type' }
    case 'too_small':
    case 'too_big':
      return sizePhrase(key, issue)
    case 'invalid_value': {
      const values = issue.values.map(String)
      return { zh: `只能是 ${values.join('、')}`, en: `must be one of ${values.join(', ')}` }
    }
    case 'invalid_format':
      return FORMATS[key] ?? { zh: '格式不正确', en: 'has the wrong format' }
    case 'not_multiple_of':
      return { zh: `必须是 ${issue.divisor} 的倍数`, en: `must be a multiple of ${issue.divisor}` }
    case 'unrecognized_keys':
      return { zh: `未知的字段：${issue.keys.join('、')}`, en: `unknown fields: ${issue.keys.join(', ')}` }
    case 'custom':
      return { zh: String(issue.params?.['zh'] ?? '不合法'), en: issue.message }
    default:
      return { zh: '不合法', en: 'is not valid' }
  }
}

function sizePhrase(key: OptionKey, issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): LocalizedText {
  if (issue.origin === 'string' || issue.origin === 'array') {
    const isText = issue.origin === 'string'
    if (issue.code === 'too_small') return { zh: '不能为空', en: 'must not be empty' }
    return isText
      ? { zh: `最多 ${issue.maximum} 个字符`, en: `must have at most ${issue.maximum} characters` }
      : { zh: `最多 ${issue.maximum} 项`, en: `must have at most ${issue.maximum} entries` }
  }
  const { min, max } = (issue.path.length === 0 && optionDefinition(key).limits) || {}
  if (min !== undefined && max !== undefined) {
    return { zh: `必须在 ${min} 到 ${max} 之间`, en: `must be between ${min} and ${max}` }
  }
  if (issue.code === 'too_big') return { zh: `不能大于 ${issue.maximum}`, en: `must be at most ${issue.maximum}` }
  return issue.inclusive
    ? { zh: `不能小于 ${issue.minimum}`, en: `must be at least ${issue.minimum}` }
    : { zh: `必须大于 ${issue.minimum}`, en: `must be greater than ${issue.minimum}` }
}

/** Texts that the specification defines. */
const SPECIFIED_TEXTS: Partial<Record<OptionKey, LocalizedText>> = {
  RebatePercentage: { zh: '返佣百分比必须在0到100之间', en: 'the rebate percentage must be between 0 and 100' },
}

const TYPES: Readonly<Record<string, LocalizedText>> = {
  number: { zh: '请输入数字', en: 'must be a number' },
  int: { zh: '必须是整数', en: 'must be a whole number' },
  string: { zh: '必须是文本', en: 'must be a text' },
  boolean: { zh: '必须是 true 或 false', en: 'must be true or false' },
  array: { zh: '必须是 JSON 列表', en: 'must be a JSON list' },
  object: { zh: '必须是 JSON 对象', en: 'must be a JSON object' },
  record: { zh: '必须是 JSON 对象', en: 'must be a JSON object' },
}

const ADDRESS: LocalizedText = {
  zh: '请输入以 http:// 或 https:// 开头的地址',
  en: 'must start with http:// or https://',
}
const LINK: LocalizedText = {
  zh: '请输入以 http:// 或 https:// 开头的地址，或以 / 开头的本站路径',
  en: 'must start with http:// or https://, or be a path of this site that starts with /',
}
const IMAGE: LocalizedText = {
  zh: '请输入以 https:// 开头的地址或本站路径；浏览器会拦截 http 图片',
  en: 'must be an https:// address or a path of this site; browsers block http images',
}

/** Descriptions of the expected format. */
const FORMATS: Partial<Record<OptionKey, LocalizedText>> = {
  Logo: IMAGE,
  WeChatAccountQRCodeImageURL: IMAGE,
  TopUpLink: LINK,
  'general_setting.docs_link': LINK,
  ServerAddress: ADDRESS,
  WorkerUrl: ADDRESS,
  PayAddress: ADDRESS,
  CustomCallbackAddress: ADDRESS,
  WeChatServerAddress: ADDRESS,
  'oidc.well_known': ADDRESS,
  'oidc.authorization_endpoint': ADDRESS,
  'oidc.token_endpoint': ADDRESS,
  'oidc.user_info_endpoint': ADDRESS,
  'audit.webhook_url': { zh: '请输入以 https:// 开头的地址', en: 'must start with https://' },
  'audit.syslog_address': {
    zh: '格式如 tls://logs.example.com:6514',
    en: 'must look like tls://logs.example.com:6514',
  },
  'global.auto_retry_status_codes': { zh: '请使用 429 或 5xx 这样的状态码', en: 'must look like 429 or 5xx' },
  EmailDomainWhitelist: { zh: '请输入 example.com 这样的域名', en: 'must be a domain such as example.com' },
  SMTPServer: { zh: '请输入主机名，不带协议和路径', en: 'must be a host name without protocol and path' },
  SMTPFrom: { zh: '请输入一个邮箱地址', en: 'must be one email address' },
  'stripe.currency': { zh: '请输入三个字母的货币代码', en: 'must be a currency code of three letters' },
  Chats: { zh: '链接须以协议开头，如 https://', en: 'a link must start with a scheme such as https://' },
}

/** Options with a Chinese default text, translated for sites in another language. */
export function localizedDefaults(language: 'zh' | 'en'): [OptionKey, string][] {
  if (language === 'zh') return []
  const { default: chats } = OPTIONS.Chats
  const english = chats.map((chat) =>
    Object.fromEntries(Object.entries(chat).map(([name, link]) => [name === 'AMA 问天' ? 'AMA' : name, link])),
  )
  return [
    ['UserUsableGroups', JSON.stringify({ default: 'Default group', vip: 'VIP group' })],
    ['Chats', JSON.stringify(english)],
  ]
}
