import type { AuditEvent } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useUrlState } from '../../lib/url-state.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import { Button } from '../../ui/kit/index.ts'
import styles from './audit.module.css'
import { EventChanges } from './event-changes.tsx'
import { readDetails } from './read-details.ts'
import { useFieldName } from './use-field-name.ts'
import { valueWords } from './value-words.ts'

/** All that an event knows beside its columns: what changed, what else was noted, and where to look further. */
export function EventDetails({ event }: { event: AuditEvent }) {
  const { t } = useTranslation('audit')
  const { action } = event
  const { changes, facts } = useMemo(() => readDetails(event.details), [event.details])
  const fieldName = useFieldName(action)
  return (
    <div className={styles.details}>
      {changes.length > 0 && <EventChanges action={action} changes={changes} />}
      {changes.length + facts.length === 0 && <p className={styles.nothing}>{t('details.nothing')}</p>}
      <Facts
        facts={[
          ...facts.map(({ name, value }) => ({
            term: fieldName([name]),
            value: <span className={styles.value}>{valueWords(t, { action, name, value })}</span>,
          })),
          { term: t('details.code'), value: <code className="mono">{action}</code> },
        ]}
      />
      <FurtherLinks event={event} />
    </div>
  )
}

function RequestId({ id }: { id: string }) {
  const { t } = useTranslation()
  return (
    <span className={styles.request}>
      <span className="secondary">{t('requestId')}</span> <code className="mono">{id}</code>{' '}
      <CopyButton text={id} label={t('copyRequestId')} />
    </span>
  )
}

function FurtherLinks({ event }: { event: AuditEvent }) {
  const { actor_id: actor, subject, request_id: requestId } = event
  const { t } = useTranslation('audit')
  const { change } = useUrlState()
  return (
    <div className={styles.further}>
      {actor > 0 && (
        <Button size="small" onClick={() => change({ actor, page: null })}>
          {t('details.sameActor')}
        </Button>
      )}
      {subject !== '' && (
        <Button size="small" onClick={() => change({ subject, page: null })}>
          {t('details.sameSubject')}
        </Button>
      )}
      {requestId && <RequestId id={requestId} />}
    </div>
  )
}
