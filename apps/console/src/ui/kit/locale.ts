import type { ConfigProviderProps } from 'antd'
import enUS from 'antd/es/locale/en_US'
import dayjs from 'dayjs'
import { isLanguage, type Language } from '../../lib/languages.ts'

export type KitLocale = NonNullable<ConfigProviderProps['locale']>

/** Built into the kit, so it costs nothing to start with. */
export const ENGLISH: KitLocale = enUS

type Words = readonly [kit: Promise<{ default: KitLocale }>, dates: Promise<unknown>, datesName: string]

const LOADERS: Readonly<Record<Exclude<Language, 'en'>, () => Words>> = {
  zh: () => [import('antd/es/locale/zh_CN'), import('dayjs/locale/zh-cn'), 'zh-cn'],
  'zh-TW': () => [import('antd/es/locale/zh_TW'), import('dayjs/locale/zh-tw'), 'zh-tw'],
  ja: () => [import('antd/es/locale/ja_JP'), import('dayjs/locale/ja'), 'ja'],
  fr: () => [import('antd/es/locale/fr_FR'), import('dayjs/locale/fr'), 'fr'],
  ru: () => [import('antd/es/locale/ru_RU'), import('dayjs/locale/ru'), 'ru'],
  vi: () => [import('antd/es/locale/vi_VN'), import('dayjs/locale/vi'), 'vi'],
}

/** The words of the kit's own parts (pages, calendars, dialogs) in a language. */
export async function loadKitLocale(language: string): Promise<KitLocale> {
  if (!isLanguage(language) || language === 'en') {
    dayjs.locale('en')
    return ENGLISH
  }
  const [kit, dates, datesName] = LOADERS[language]()
  const [{ default: words }] = await Promise.all([kit, dates])
  dayjs.locale(datesName)
  return words
}
