import type { Delivery } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { StatusTag, type Tone } from '../../../ui/feedback/status-tag.tsx'

const TONES: Record<Delivery['status'], Tone> = { waiting: 'info', delivered: 'good', failed: 'bad' }

export function DeliveryStatus({ status }: Pick<Delivery, 'status'>) {
  const { t } = useTranslation('me')
  return <StatusTag tone={TONES[status]}>{t(`deliveries.status.${status}`)}</StatusTag>
}
