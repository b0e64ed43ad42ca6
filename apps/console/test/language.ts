import { initReactI18next } from 'react-i18next'
import { i18n } from '../src/lib/i18n.ts'
import type { Language } from '../src/lib/languages.ts'
import enAdmin from '../src/locales/en/admin.json'
import enApp from '../src/locales/en/app.json'
import enConsole from '../src/locales/en/console.json'
import enExports from '../src/locales/en/exports.json'
import enSettings from '../src/locales/en/settings.json'
import enShadow from '../src/locales/en/shadow.json'
import zhAdmin from '../src/locales/zh/admin.json'
import zhApp from '../src/locales/zh/app.json'
import zhConsole from '../src/locales/zh/console.json'
import zhExports from '../src/locales/zh/exports.json'
import zhSettings from '../src/locales/zh/settings.json'
import zhShadow from '../src/locales/zh/shadow.json'

const en = { ...enApp, ...enConsole, ...enAdmin, ...enExports, ...enSettings, ...enShadow }
const zh = { ...zhApp, ...zhConsole, ...zhAdmin, ...zhExports, ...zhSettings, ...zhShadow }

/** Initialises i18next with all texts, without language detection or requests. */
export async function startTestLanguage(language: Language): Promise<void> {
  if (i18n.isInitialized) {
    await i18n.changeLanguage(language)
    return
  }
  await i18n.use(initReactI18next).init({
    lng: language,
    supportedLngs: ['zh', 'en'],
    resources: { zh, en },
    ns: Object.keys(zh),
    defaultNS: 'common',
    interpolation: { escapeValue: false },
  })
}
