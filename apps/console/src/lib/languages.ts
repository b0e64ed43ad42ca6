/** A language: its native name, its `lang` attribute, and the language of server messages. */
interface LanguageFacts {
  readonly name: string
  readonly tag: string
  readonly server: 'zh' | 'en'
}

/** Languages of the console, in menu order. Texts are in `locales/<language>`. */
export const LANGUAGES = {
  zh: { name: '简体中文', tag: 'zh-CN', server: 'zh' },
  'zh-TW': { name: '繁體中文', tag: 'zh-TW', server: 'zh' },
  en: { name: 'English', tag: 'en', server: 'en' },
  ja: { name: '日本語', tag: 'ja', server: 'en' },
  fr: { name: 'Français', tag: 'fr', server: 'en' },
  ru: { name: 'Русский', tag: 'ru', server: 'en' },
  vi: { name: 'Tiếng Việt', tag: 'vi', server: 'en' },
} as const satisfies Record<string, LanguageFacts>

export type Language = keyof typeof LANGUAGES

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly Language[]

export const isLanguage = (code: string): code is Language => Object.hasOwn(LANGUAGES, code)

/** Maps a browser language to a console language. Returns the primary subtag for unsupported languages. */
export function languageFor(browserLanguage: string): string {
  const [primary = '', ...parts] = browserLanguage.toLowerCase().split('-')
  const isTraditional = primary === 'zh' && parts.some((part) => ['hant', 'tw', 'hk', 'mo'].includes(part))
  return isTraditional && isLanguage('zh-TW') ? 'zh-TW' : primary
}
