import type { AuditEvent } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { isKnown } from './actions.ts'
import styles from './audit.module.css'
import { subjectOf } from './subject.ts'

/** Facts of an event that read the same in a table and on a card. */

export function ActionName({ action }: { action: string }) {
  const { t } = useTranslation('audit')
  if (!isKnown(action)) return <code className="mono">{action}</code>
  return (
    <span className={styles.action} title={action}>
      {t(`actions.${action}`)}
    </span>
  )
}

export function ActorName({ event: { actor, actor_id: id, token } }: { event: AuditEvent }) {
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

export function SubjectName({ event }: { event: AuditEvent }) {
  const { t } = useTranslation('audit')
  if (event.subject === '') return <span className="secondary">–</span>
  const { kind, path } = subjectOf(event)
  const words = t(`subjects.${kind}`, { subject: event.subject })
  if (path) return <Link to={path}>{words}</Link>
  return (
    <span className={`mono ${styles.subject}`} title={event.subject}>
      {words}
    </span>
  )
}

export function Origin({ address }: { address: string }) {
  return address ? <span className="mono">{address}</span> : <span className="secondary">–</span>
}
