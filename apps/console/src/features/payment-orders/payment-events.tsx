import type { OrderDetail } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/format.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import { Time } from '../../ui/page/time.tsx'
import styles from './orders.module.css'
import { knownOutcome, OUTCOME_TONES } from './recheck-result.ts'
import { readDetails } from './read-details.ts'

type Event = OrderDetail['events'][number]

/** All events of the payment service for an order, newest first. */
export function PaymentEvents({ order }: { order: OrderDetail }) {
  const { t } = useTranslation('orders')
  return (
    <section className={styles.part} aria-label={t('events.title')}>
      <h3 className={styles.heading}>{t('events.title')}</h3>
      {order.events.length === 0 ? (
        <p className={styles.hint}>{t('events.none')}</p>
      ) : (
        <ol className={styles.events}>
          {order.events.toReversed().map((event) => (
            <li key={event.id} className={styles.event}>
              <EventCard event={event} provider={order.provider} />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function EventCard({ event, provider }: { event: Event; provider: string }) {
  const { t } = useTranslation('orders')
  const { t: wallet } = useTranslation('wallet')
  const fields = readDetails(provider, event.details)
  return (
    <>
      <div className={styles.eventTop}>
        <span className={styles.kind}>{t(`events.kinds.${event.kind}`)}</span>
        <Outcome outcome={event.outcome} />
        {event.deliveries > 1 && (
          <span className="secondary">{t('events.deliveries', { times: formatCount(event.deliveries) })}</span>
        )}
        <span className={styles.when}>
          <Time unixSeconds={event.created_at} exact />
        </span>
      </div>
      <div className={styles.numbers}>
        <Facts
          facts={[
            ...fields.map(({ name, key, text, meaning }) => ({
              term: key ? t(`fields.${key}`) : name,
              value: (
                <>
                  <span className="mono">{text}</span>{' '}
                  {meaning && <span className="secondary">({t(`meanings.${meaning}`)})</span>}
                </>
              ),
            })),
            ...(event.client_ip
              ? [
                  {
                    term: t(`events.from.${event.kind}`),
                    value: (
                      <span className={styles.address}>
                        <span className="mono">{event.client_ip}</span>
                        <CopyButton text={event.client_ip} label={wallet('copyOf', { name: event.client_ip })} />
                      </span>
                    ),
                  },
                ]
              : []),
          ]}
        />
      </div>
    </>
  )
}

function Outcome({ outcome }: Pick<Event, 'outcome'>) {
  const { t } = useTranslation('orders')
  const known = knownOutcome(outcome)
  return (
    <StatusTag tone={known ? OUTCOME_TONES[known] : 'warn'}>
      {known ? t(`events.outcomes.${known}`) : <code className="mono">{outcome}</code>}
    </StatusTag>
  )
}
