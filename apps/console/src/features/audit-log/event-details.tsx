import type { AuditEvent } from '@tidegate/contract/api'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUrlState } from '../../lib/url-state.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import { Button } from '../../ui/kit/index.ts'
import styles from './audit.module.css'
import { fieldName, readDetails, valueText, type Change } from '../../components/audit-event/event-values.ts'

/** The changes and other details of an event, and links to related events. */
export function EventDetails({ event }: { event: AuditEvent }) {
  const { t } = useTranslation('audit')
  const { action } = event
  const { changes, facts } = useMemo(() => readDetails(event.details), [event.details])
  return (
    <div className={styles.details}>
      {changes.length > 0 && <Changes action={action} changes={changes} />}
      {changes.length + facts.length === 0 && <p className={styles.noDetails}>{t('details.nothing')}</p>}
      <Facts
        facts={[
          ...facts.map(({ name, value }) => ({
            term: fieldName(t, action, [name]),
            value: <span className={styles.value}>{valueText(t, { action, name, value })}</span>,
          })),
          { term: t('details.code'), value: <code className="mono">{action}</code> },
        ]}
      />
      <RelatedEvents event={event} />
    </div>
  )
}

const MAX_CHANGES = 20
const SIDES = ['before', 'after'] as const

function Changes({ action, changes }: { action: string; changes: readonly Change[] }) {
  const { t } = useTranslation('audit')
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? changes : changes.slice(0, MAX_CHANGES)
  const hidden = changes.length - shown.length
  return (
    <>
      <table className={styles.changes}>
        <thead>
          <tr>
            <th scope="col">{t('details.field')}</th>
            <th scope="col">{t('details.before')}</th>
            <th scope="col">{t('details.after')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((change) => (
            <tr key={change.path.join('\n')}>
              <th scope="row">{fieldName(t, action, change.path)}</th>
              {SIDES.map((side) => (
                <td key={side} data-side={side} data-label={t(`details.${side}`)}>
                  <Side action={action} name={change.path.at(-1) ?? ''} value={change[side]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 && (
        <Button type="link" size="small" onClick={() => setShowsAll(true)}>
          {t('details.more', { count: hidden })}
        </Button>
      )}
    </>
  )
}

function Side(props: { action: string; name: string; value: unknown }) {
  const { t } = useTranslation('audit')
  if (props.value === undefined) return <span className="secondary">{t('details.absent')}</span>
  return <span className={styles.side}>{valueText(t, props)}</span>
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

function RelatedEvents({ event }: { event: AuditEvent }) {
  const { actor_id: actor, subject, request_id: requestId } = event
  const { t } = useTranslation('audit')
  const { change } = useUrlState()
  return (
    <div className={styles.related}>
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
