import type { OptionKey } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { textKeyOf } from '../option-text.ts'

/** What people call an option; one that this console does not know goes by its key. */
export function useOptionName(): (key: string) => string {
  const { t, i18n } = useTranslation('settings')
  return (key) => {
    const name = `options.${textKeyOf(key as OptionKey)}.label` as const
    return i18n.exists(`settings:${name}`) ? t(name) : key
  }
}
