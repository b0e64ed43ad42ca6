import i18next, { type BackendModule } from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
import { initReactI18next } from 'react-i18next'
import { isLanguage, LANGUAGE_CODES, LANGUAGES, languageFor, type Language } from './languages.ts'

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
    document.documentElement.lang = LANGUAGES[currentLanguage()].tag
  }
  i18n.on('languageChanged', showLanguage)
  await i18n
    .use(textLoader)
    .use(LanguageDetector)
    .use(initReactI18next)
    .init({
      supportedLngs: LANGUAGE_CODES,
      fallbackLng: 'en',
      load: 'currentOnly',
      ns: ['common', 'shell'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      detection: {
        order: ['localStorage', 'navigator'],
        caches: ['localStorage'],
        lookupLocalStorage: 'i18nextLng',
        convertDetectedLanguage: languageFor,
      },
    })
  showLanguage()
}

/** Has the texts of an area at hand before its screen is drawn. */
export const loadTexts = (...areas: Area[]): Promise<void> => i18n.loadNamespaces(areas)

export function currentLanguage(): Language {
  const language = i18n.resolvedLanguage ?? 'en'
  return isLanguage(language) ? language : 'en'
}

/** The language to be told in by the server, which knows fewer. */
export const serverLanguage = (): 'zh' | 'en' => LANGUAGES[currentLanguage()].server
