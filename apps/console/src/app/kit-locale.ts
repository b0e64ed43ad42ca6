import type { ConfigProviderProps } from 'antd'
import enUS from 'antd/es/locale/en_US'
import dayjs from 'dayjs'

export type KitLocale = NonNullable<ConfigProviderProps['locale']>

/** Built into the kit, so it costs nothing to start with. */
export const ENGLISH: KitLocale = enUS

/** The words of the kit's own parts (pages, calendars, dialogs) in a language. */
export async function loadKitLocale(language: string): Promise<KitLocale> {
  if (language !== 'zh') {
    dayjs.locale('en')
    return ENGLISH
  }
  const [kit] = await Promise.all([import('antd/es/locale/zh_CN'), import('dayjs/locale/zh-cn')])
  dayjs.locale('zh-cn')
  return kit.default
}
