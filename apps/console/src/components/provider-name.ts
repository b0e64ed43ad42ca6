import { useTranslation } from 'react-i18next'
import type { Texts } from '../locales/texts.ts'

type NameKey = keyof Texts['common']['providers']

/** Providers of models whose names differ by language, by their name in the price list. */
const LOCALIZED: Readonly<Record<string, NameKey>> = {
  Alibaba: 'alibaba',
  Baidu: 'baidu',
  ByteDance: 'bytedance',
  Moonshot: 'moonshot',
  Tencent: 'tencent',
  Zhipu: 'zhipu',
  iFlytek: 'iflytek',
  '01.AI': 'lingyi',
  '360': 'zhinao',
}

/** Writes the provider of a model in the language of the page. */
export function useProviderName(): (provider: string) => string {
  const { t } = useTranslation()
  return (provider) => {
    const key = LOCALIZED[provider]
    return key ? t(`providers.${key}`) : provider
  }
}
