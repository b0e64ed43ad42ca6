import { useTranslation } from 'react-i18next'

/** Names the type of a delivery. An unknown type is shown as its code. */
export function useTypeName(): (type: string) => string {
  const { t } = useTranslation('me')
  return (type) => {
    if (type === 'quota_exceed') return t('deliveries.types.quota')
    if (type === 'test') return t('deliveries.types.test')
    if (type === 'channel_test') return t('deliveries.types.channelTest')
    if (type.startsWith('channel_update_')) return t('deliveries.types.channelUpdate')
    if (type === 'new_device') return t('deliveries.types.newDevice')
    if (type === 'auth_failures') return t('deliveries.types.authFailures')
    if (type.startsWith('security_')) return t('deliveries.types.security')
    return type
  }
}
