import type { AuditEvent } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import { FILL, onlyWhenChanged, type Column } from '../../ui/table/columns.ts'
import { RowCard } from '../../ui/table/row-card.tsx'
import { isKnown, subjectOf } from '../../components/audit-event/audit-actions.ts'
import styles from './audit.module.css'
import { EventDetails } from './event-details.tsx'
import { summaryOf } from '../../components/audit-event/event-values.ts'

export function useEventColumns(): Column<AuditEvent>[] {
  const { t } = useTranslation('audit')
  return useMemo(
    () =>
      onlyWhenChanged<AuditEvent>([
        { key: 'time', title: t('columns.time'), render: (_, event) => <Time unixSeconds={event.created_at} exact /> },
        { key: 'actor', title: t('columns.actor'), render: (_, event) => <ActorName event={event} /> },
        { key: 'action', title: t('columns.action'), render: (_, { action }) => <ActionName action={action} /> },
        { key: 'subject', title: t('columns.subject'), render: (_, event) => <SubjectName event={event} /> },
        {
          key: 'change',
          title: t('columns.change'),
          from: 1024,
          ...FILL,
          render: (_, event) => <ChangeSummary event={event} />,
        },
        {
          key: 'origin',
          title: t('columns.origin'),
          from: 1440,
          render: (_, event) => <IpAddress address={event.client_ip} />,
        },
      ]),
    [t],
  )
}

export function EventCard({ event }: { event: AuditEvent }) {
  const { t } = useTranslation('audit')
  return (
    <RowCard
      title={<ActionName action={event.action} />}
      note={
        <>
          <ActorName event={event} /> · <SubjectName event={event} />
        </>
      }
      aside={
        <span className="secondary">
          <Time unixSeconds={event.created_at} short />
        </span>
      }
      details={
        <>
          <Facts
            facts={[
              { term: t('columns.time'), value: <Time unixSeconds={event.created_at} exact /> },
              { term: t('columns.origin'), value: <IpAddress address={event.client_ip} /> },
            ]}
          />
          <EventDetails event={event} />
        </>
      }
    />
  )
}

function ActionName({ action }: { action: string }) {
  const { t } = useTranslation('audit')
  if (!isKnown(action)) return <code className="mono">{action}</code>
  return (
    <span className={styles.action} title={action}>
      {t(`actions.${action}`)}
    </span>
  )
}

function ActorName({ event: { actor, actor_id: id, token } }: { event: AuditEvent }) {
  const { t } = useTranslation('audit')
  if (id === 0) return <span className="secondary">{t('system')}</span>
  return (
    <span className={styles.actor}>
      {actor && <span title={actor}>{actor}</span>}
      <span className="secondary number">#{id}</span>
      {token && <span className="secondary">{t('byToken', { name: token })}</span>}
    </span>
  )
}

function SubjectName({ event }: { event: AuditEvent }) {
  const { t } = useTranslation('audit')
  if (event.subject === '') return <span className="secondary">–</span>
  const { kind, path } = subjectOf(event)
  const text = t(`subjects.${kind}`, { subject: event.subject })
  if (path) return <Link to={path}>{text}</Link>
  return (
    <span className={`mono ${styles.subject}`} title={event.subject}>
      {text}
    </span>
  )
}

function ChangeSummary({ event }: { event: AuditEvent }) {
  const { t } = useTranslation('audit')
  const text = summaryOf(t, event)
  return (
    text && (
      <span className={styles.summary} title={text}>
        {text}
      </span>
    )
  )
}

function IpAddress({ address }: { address: string }) {
  return address ? <span className="mono">{address}</span> : <span className="secondary">–</span>
}
