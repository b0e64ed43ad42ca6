import type { Delivery } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { RowButton } from '../../../ui/table/row-button.tsx'
import { useRetryDelivery } from './queries.ts'
import { useTypeName } from './use-type-name.ts'

/** Sends once more what failed. */
export function RetryButton({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation('me')
  const typeName = useTypeName()
  const retry = useRetryDelivery()
  if (delivery.status !== 'failed') return null
  const tell = ({ status, error }: Delivery) => {
    if (status === 'delivered') return toast.success(t('deliveries.delivered'))
    if (status === 'waiting') return toast.info(t('deliveries.underWay'))
    toast.error(t('deliveries.failedAgain', { error }))
  }
  return (
    <RowButton
      outlined
      busy={retry.isPending}
      label={t('deliveries.retryOne', { type: typeName(delivery.type), target: delivery.target })}
      onClick={() => retry.mutate(delivery.id, { onSuccess: tell })}
    >
      {t('deliveries.retry')}
    </RowButton>
  )
}
