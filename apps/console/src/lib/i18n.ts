import i18next, { type BackendModule } from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
import { initReactI18next } from 'react-i18next'

export const LANGUAGES = ['zh', 'en'] as const
export type Language = (typeof LANGUAGES)[number]
export type Area = keyof typeof import('../locales/zh/index.ts').texts

export const i18n = i18next

/** Texts arrive per area and language, when a screen first asks for them. */
const texts = import.meta.glob<{ default: object }>(['../locales/*/*.ts', '!../locales/*/index.ts'])

const textLoader: BackendModule = {
  type: 'backend',
  init() {},
  read(language, area, done) {
    const load = texts[`../locales/${language}/${area}.ts`]
    if (!load) return done(new Error(`There are no texts for ${language}/${area}.`), null)
    load().then(
      (module) => done(null, module.default as Record<string, string>),
      (error: unknown) => done(error as Error, null),
    )
  },
}

export async function startI18n(): Promise<void> {
  const showLanguage = () => {
    document.documentElement.lang = currentLanguage() === 'zh' ? 'zh-CN' : 'en'
  }
  i18n.on('languageChanged', showLanguage)
  await i18n
    .use(textLoader)
    .use(LanguageDetector)
    .use(initReactI18next)
    .init({
      supportedLngs: LANGUAGES,
      fallbackLng: 'en',
      load: 'languageOnly',
      ns: ['common', 'shell'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      detection: {
        order: ['localStorage', 'navigator'],
        caches: ['localStorage'],
        lookupLocalStorage: 'i18nextLng',
        convertDetectedLanguage: (found) => found.split('-')[0]!.toLowerCase(),
      },
    })
  showLanguage()
}

/** Has the texts of an area at hand before its screen is drawn. */
export const loadTexts = (...areas: Area[]): Promise<void> => i18n.loadNamespaces(areas)

export const currentLanguage = (): Language => (i18n.resolvedLanguage === 'zh' ? 'zh' : 'en')
