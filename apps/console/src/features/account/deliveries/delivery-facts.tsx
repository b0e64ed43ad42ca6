import type { Delivery } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { Facts } from '../../../ui/page/facts.tsx'
import { Time } from '../../../ui/page/time.tsx'
import styles from '../account.module.css'

/** All that is known of a delivery beside its columns. */
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
      <p className={styles.place}>
        <span className="mono">{target}</span> <CopyButton text={target} label={t('deliveries.copyTarget')} />
      </p>
      {error && <p className={styles.trouble}>{error}</p>}
      {response_body && <code className={styles.answer}>{response_body}</code>}
    </div>
  )
}

export function IsoTime({ time }: { time: string }) {
  return <Time unixSeconds={Math.floor(Date.parse(time) / 1000)} exact />
}

/** What came back, in a few signs. */
export function Response({ delivery }: { delivery: Delivery }) {
  const { response_status, error } = delivery
  const words = response_status === null ? error : `HTTP ${response_status}`
  return words || <span className="secondary">–</span>
}
