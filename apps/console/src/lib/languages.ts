/** What a language needs: its own name, how a document in it is marked, and which of the server's two it is told in. */
interface LanguageFacts {
  readonly name: string
  readonly tag: string
  readonly server: 'zh' | 'en'
}

/** Languages of the console, each complete, in the order of the menu. Texts are in `locales/<language>`. */
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

/** The language we have for one that a browser names; one we do not have stays as it is. */
export function languageFor(browserLanguage: string): string {
  const [primary = '', ...parts] = browserLanguage.toLowerCase().split('-')
  const isTraditional = primary === 'zh' && parts.some((part) => ['hant', 'tw', 'hk', 'mo'].includes(part))
  return isTraditional && isLanguage('zh-TW') ? 'zh-TW' : primary
}
