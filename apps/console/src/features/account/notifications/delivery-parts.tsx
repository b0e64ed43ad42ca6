import type { Delivery } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { StatusTag, type RowTone } from '../../../ui/feedback/status-tag.tsx'
import { Facts } from '../../../ui/page/facts.tsx'
import { Time } from '../../../ui/page/time.tsx'
import { RowButton } from '../../../ui/table/row-button.tsx'
import styles from '../account.module.css'
import { useRetryDelivery } from './api.ts'

/** Details of a delivery that are not in the columns. */
export function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation('me')
  const { title, target, error, response_body, last_attempt_at, next_attempt_at } = delivery
  return (
    <div className={styles.details}>
      <Facts
        facts={[
          { term: t('deliveries.subject'), value: title },
          ...(last_attempt_at
            ? [{ term: t('deliveries.lastAttempt'), value: <IsoTime time={last_attempt_at} /> }]
            : []),
          ...(next_attempt_at
            ? [{ term: t('deliveries.nextAttempt'), value: <IsoTime time={next_attempt_at} /> }]
            : []),
        ]}
      />
      <p className={styles.target}>
        <span className="mono">{target}</span> <CopyButton text={target} label={t('deliveries.copyTarget')} />
      </p>
      {error && <p className={styles.error}>{error}</p>}
      {response_body && <code className={styles.response}>{response_body}</code>}
    </div>
  )
}

export function IsoTime({ time }: { time: string }) {
  return <Time unixSeconds={Math.floor(Date.parse(time) / 1000)} exact />
}

/** The HTTP status or the error. */
export function Response({ delivery }: { delivery: Delivery }) {
  const { response_status, error } = delivery
  const text = response_status === null ? error : `HTTP ${response_status}`
  return text || <span className="secondary">–</span>
}

const TONES: Record<Delivery['status'], RowTone> = { waiting: 'info', delivered: 'usual', failed: 'bad' }

export function DeliveryStatus({ status }: Pick<Delivery, 'status'>) {
  const { t } = useTranslation('me')
  return <StatusTag tone={TONES[status]}>{t(`deliveries.status.${status}`)}</StatusTag>
}

/** Sends a failed delivery again. */
export function RetryButton({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation('me')
  const typeName = useTypeName()
  const retry = useRetryDelivery()
  if (delivery.status !== 'failed') return null
  const showResult = ({ status, error }: Delivery) => {
    if (status === 'delivered') return toast.success(t('deliveries.delivered'))
    if (status === 'waiting') return toast.info(t('deliveries.underWay'))
    toast.error(t('deliveries.failedAgain', { error }))
  }
  return (
    <RowButton
      outlined
      busy={retry.isPending}
      label={t('deliveries.retryOne', { type: typeName(delivery.type), target: delivery.target })}
      onClick={() => retry.mutate(delivery.id, { onSuccess: showResult })}
    >
      {t('deliveries.retry')}
    </RowButton>
  )
}

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
