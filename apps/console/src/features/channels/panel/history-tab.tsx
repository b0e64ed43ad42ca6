import { isRoot, type AuditEvent } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '../../../api/session.ts'
import { linesOf } from '../../../components/audit-event/event-values.ts'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { Time } from '../../../ui/page/time.tsx'
import { channelHistoryQuery } from '../api.ts'
import styles from './panel.module.css'

/** Who changed the channel. */
export function HistoryTab({ id }: { id: number }) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const mayRead = useSession(({ user }) => isRoot(user?.role ?? 0))
  const history = useQuery({ ...channelHistoryQuery(id), enabled: mayRead })
  if (!mayRead) return <p className={styles.nothing}>{t('panel.historyRoot')}</p>
  if (history.error) {
    return (
      <LoadError
        title={common('errors.loadFailed')}
        error={history.error}
        retrying={history.isFetching}
        onRetry={history.refetch}
      />
    )
  }
  if (!history.data) return <SkeletonLines lines={4} />
  if (history.data.length === 0) return <p className={styles.nothing}>{t('panel.noHistory')}</p>
  return (
    <>
      <ul className={styles.history}>
        {history.data.map((event) => (
          <HistoryEntry key={event.id} event={event} />
        ))}
      </ul>
      <Link to={`/admin/audit?action=channel&subject=${id}`}>{t('panel.allHistory')}</Link>
    </>
  )
}

function HistoryEntry({ event }: { event: AuditEvent }) {
  const { t, i18n } = useTranslation('audit')
  const verb = event.action.split('.').slice(1).join('.')
  const isKnown = i18n.exists(`audit:actions.channel.${verb}`)
  const action = isKnown ? t(`actions.channel.${verb}` as 'actions.channel.auto_disable') : event.action
  return (
    <li>
      <span className={styles.historyHead}>
        <strong>{action}</strong>
        <span className="secondary">{event.actor_id === 0 ? t('system') : event.actor}</span>
        <span className={styles.historyTime}>
          <Time unixSeconds={event.created_at} />
        </span>
      </span>
      {linesOf(t, event).map((line) => (
        <span key={line} className={styles.details}>
          {line}
        </span>
      ))}
    </li>
  )
}
