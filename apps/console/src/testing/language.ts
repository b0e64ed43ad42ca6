import { initReactI18next } from 'react-i18next'
import { i18n } from '../lib/i18n.ts'
import type { Language } from '../lib/languages.ts'
import enAdmin from '../locales/en/admin.json'
import enApp from '../locales/en/app.json'
import enSettings from '../locales/en/settings.json'
import zhAdmin from '../locales/zh/admin.json'
import zhApp from '../locales/zh/app.json'
import zhSettings from '../locales/zh/settings.json'

const en = { ...enApp, ...enAdmin, ...enSettings }
const zh = { ...zhApp, ...zhAdmin, ...zhSettings }

/** All texts at hand, without the browser's wishes or a network. */
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
