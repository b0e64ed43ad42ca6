import type { ListedUser } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatBalance, formatCount } from '../../../lib/format.ts'
import { useSession } from '../../../lib/session.ts'
import { StatusTag } from '../../../ui/status-tag.tsx'
import styles from '../users.module.css'

/** Facts of a user that read the same in a table and on a card. */

/** A card has no column for the id. */
export function UserName({ user, withId = false }: { user: ListedUser; withId?: boolean }) {
  const { t } = useTranslation('users')
  const isMe = useSession((session) => session.user?.id === user.id)
  const { username, display_name: displayName, email } = user
  const others = [displayName !== username && displayName, email].filter(Boolean)
  return (
    <span className={styles.user}>
      <span className={styles.username}>
        <span title={username}>{username}</span>
        {withId && <span className="secondary number">#{user.id}</span>}
        {isMe && (
          <StatusTag tone="neutral" plain>
            {t('you')}
          </StatusTag>
        )}
      </span>
      {others.length > 0 && (
        <span className={styles.others} title={others.join(' · ')}>
          {others.join(' · ')}
        </span>
      )}
    </span>
  )
}

/** Whom the user brought, what that earned, and who brought the user. */
export function InviteFacts({ user }: { user: ListedUser }) {
  const { t } = useTranslation('users')
  const { aff_count: invited, aff_history_quota: earned, inviter_id: inviter } = user
  if (invited === 0 && earned === 0 && inviter === 0) return <span className="secondary">–</span>
  return (
    <span className={styles.invites}>
      {(invited > 0 || earned > 0) && (
        <span className="number" title={t('invites.earnedExactly', { quota: formatCount(earned) })}>
          {t('invites.sum', { count: invited, earned: formatBalance(earned) })}
        </span>
      )}
      {inviter > 0 && (
        <Link className={styles.inviter} to={`/admin/users?keyword=${inviter}`}>
          {t('invites.by', { id: inviter })}
        </Link>
      )}
    </span>
  )
}

export function GroupName({ group }: { group: string }) {
  return (
    <span className={styles.group} title={group}>
      <StatusTag tone="neutral" plain>
        {group}
      </StatusTag>
    </span>
  )
}
