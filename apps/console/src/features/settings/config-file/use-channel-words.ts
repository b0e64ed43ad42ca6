import { channelTypeOf } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import type { Texts } from '../../../locales/texts.ts'

type FieldName = keyof Texts['settings']['configFile']['fields']

/** Fields of a channel and their values, as its form calls them. A newer server may name others. */
export function useChannelWords() {
  const { t, i18n } = useTranslation('settings')
  return {
    field: (name: string): string =>
      i18n.exists(`settings:configFile.fields.${name}`) ? t(`configFile.fields.${name as FieldName}`) : name,
    value(name: string, text: string | null): string | null {
      if (text === null) return null
      if (name === 'type') return channelTypeOf(Number(text))?.name ?? text
      if (name === 'status')
        return t(text === 'disabled' ? 'configFile.statuses.disabled' : 'configFile.statuses.enabled')
      if (name === 'auto_ban') return t(text === 'true' ? 'history.on' : 'history.off')
      return text === '' ? t('history.blank') : text.replaceAll(/,(?=\S)/g, ', ')
    },
  }
}
