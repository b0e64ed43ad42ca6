import type { ConfigProviderProps } from 'antd'
import enUS from 'antd/es/locale/en_US'
import dayjs from 'dayjs'
import 'dayjs/locale/fr'
import 'dayjs/locale/ja'
import 'dayjs/locale/ru'
import 'dayjs/locale/vi'
import 'dayjs/locale/zh-cn'
import 'dayjs/locale/zh-tw'
import { isLanguage, LANGUAGES, type Language } from '../../lib/languages.ts'

export type KitLocale = NonNullable<ConfigProviderProps['locale']>

/** Part of Ant Design's own bundle, so it needs no request. */
export const ENGLISH: KitLocale = enUS

/** Locales of Ant Design are loaded on demand. Date locales are small and part of this module. */
const LOADERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: KitLocale }>>> = {
  zh: () => import('antd/es/locale/zh_CN'),
  'zh-TW': () => import('antd/es/locale/zh_TW'),
  ja: () => import('antd/es/locale/ja_JP'),
  fr: () => import('antd/es/locale/fr_FR'),
  ru: () => import('antd/es/locale/ru_RU'),
  vi: () => import('antd/es/locale/vi_VN'),
}

/** Loads the texts of Ant Design components and sets the date locale. */
export async function loadKitLocale(language: string): Promise<KitLocale> {
  const isKnown = isLanguage(language) && language !== 'en'
  const locale = isKnown ? (await LOADERS[language]()).default : ENGLISH
  dayjs.locale(isKnown ? LANGUAGES[language].tag.toLowerCase() : 'en')
  return locale
}
