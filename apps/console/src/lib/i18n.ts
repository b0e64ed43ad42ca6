import i18next, { type BackendModule } from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
import { initReactI18next } from 'react-i18next'
import type { TextFile, Texts } from '../locales/texts.ts'
import { isLanguage, LANGUAGE_CODES, LANGUAGES, languageFor, type Language } from './languages.ts'

export const i18n = i18next

type FileContent = Partial<Texts>

const files = import.meta.glob<{ default: FileContent }>('../locales/*/*.json')
/** The file of each loaded namespace. */
const fileOf = new Map<string, TextFile>()

const textLoader: BackendModule = {
  type: 'backend',
  init() {},
  read(language, area, done) {
    readFile(language, fileOf.get(area) ?? 'app').then(
      (content) => done(null, content[area as keyof Texts]),
      (error: unknown) => done(error as Error, null),
    )
  },
}

async function readFile(language: string, file: TextFile): Promise<FileContent> {
  const load = files[`../locales/${language}/${file}.json`]
  if (!load) throw new Error(`There are no texts for ${language}/${file}.`)
  return (await load()).default
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
      // All translations are complete, so English is only the fallback for unsupported languages.
      fallbackLng: (code) => (isLanguage(code) ? [] : ['en']),
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
  await loadTexts('app')
  showLanguage()
}

/** Loads the texts of a file before the page that needs them renders. */
export async function loadTexts(file: TextFile): Promise<void> {
  const areas = Object.keys(await readFile(currentLanguage(), file))
  for (const area of areas) fileOf.set(area, file)
  await i18n.loadNamespaces(areas)
}

export function currentLanguage(): Language {
  const language = i18n.resolvedLanguage ?? 'en'
  return isLanguage(language) ? language : 'en'
}

/** The language of server messages. The server supports fewer languages. */
export const serverLanguage = (): 'zh' | 'en' => LANGUAGES[currentLanguage()].server
