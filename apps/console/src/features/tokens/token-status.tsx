import { TOKEN_STATUS, type ApiToken } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { StatusTag } from '../../ui/status-tag.tsx'

export function TokenStatus({ token }: { token: Pick<ApiToken, 'status' | 'model_limits_enabled'> }) {
  const { t } = useTranslation('tokens')
  switch (token.status) {
    case TOKEN_STATUS.enabled:
      return <StatusTag tone="good">{token.model_limits_enabled ? t('status.limited') : t('status.enabled')}</StatusTag>
    case TOKEN_STATUS.disabled:
      return <StatusTag tone="neutral">{t('status.disabled')}</StatusTag>
    case TOKEN_STATUS.expired:
      return <StatusTag tone="warn">{t('status.expired')}</StatusTag>
    case TOKEN_STATUS.exhausted:
      return <StatusTag tone="bad">{t('status.exhausted')}</StatusTag>
    default:
      return <StatusTag tone="neutral">{t('status.unknown')}</StatusTag>
  }
}
