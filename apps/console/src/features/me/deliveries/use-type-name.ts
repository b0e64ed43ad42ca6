import { useTranslation } from 'react-i18next'

/** What a notice is about, in words; a kind that this console does not know goes by its own name. */
export function useTypeName(): (type: string) => string {
  const { t } = useTranslation('me')
  return (type) => {
    if (type === 'quota_exceed') return t('deliveries.types.quota')
    if (type === 'test') return t('deliveries.types.test')
    if (type === 'channel_test') return t('deliveries.types.channelTest')
    if (type.startsWith('channel_update_')) return t('deliveries.types.channelUpdate')
    return type
  }
}
