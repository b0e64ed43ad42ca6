import { ROLES, USER_STATUS, type ListedUser, type UserSort } from '@tidegate/contract/api'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { Money } from '../../components/money.tsx'
import { formatBalance, formatCount } from '../../lib/format.ts'
import { StatusTag, type Tone } from '../../ui/feedback/status-tag.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import { onlyWhenChanged, type Column } from '../../ui/table/columns.ts'
import { sortableTitle, type Sorting } from '../../ui/table/sorting.tsx'
import { RowName } from '../../ui/table/row-button.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import { UserActionButtons, useActions, useOffered } from './actions.tsx'
import { STATUS_EXISTS } from './user-rank.ts'
import styles from './users.module.css'

export function useUserColumns(sorting: Sorting<UserSort>): Column<ListedUser>[] {
  const { t } = useTranslation('users')
  return useMemo(() => {
    const sortable = (title: string, by: UserSort) => sortableTitle<ListedUser, UserSort>(title, by, sorting)
    return onlyWhenChanged<ListedUser>([
      {
        key: 'id',
        ...sortable(t('columns.id'), 'id'),
        align: 'right',
        fixed: 'left',
        from: 1024,
        render: (_, { id }) => <span className="number">{id}</span>,
      },
      {
        key: 'user',
        ...sortable(t('columns.user'), 'username'),
        fixed: 'left',
        className: styles.userColumn!,
        render: (_, user) => <UserName user={user} />,
      },
      {
        key: 'email',
        title: t('bindings.email'),
        className: styles.emailColumn!,
        from: 1200,
        render: (_, user) => <Email user={user} />,
      },
      {
        key: 'role',
        title: t('columns.role'),
        from: 1200,
        render: (_, { role }) => (
          <Usual isUsual={role === ROLES.user} text={t('roles.user')}>
            <RoleTag role={role} />
          </Usual>
        ),
      },
      {
        key: 'status',
        title: t('columns.status'),
        render: (_, user) => (
          <Usual isUsual={!isOutOfUse(user)} text={t('status.active')}>
            <UserStatusTag user={user} />
          </Usual>
        ),
      },
      { key: 'group', title: t('columns.group'), from: 1024, render: (_, { group }) => <GroupName group={group} /> },
      {
        key: 'left',
        ...sortable(t('columns.left'), 'quota'),
        align: 'right',
        render: (_, { quota }) => <Balance quota={quota} />,
      },
      {
        key: 'used',
        ...sortable(t('columns.used'), 'used_quota'),
        align: 'right',
        className: 'secondary',
        render: (_, user) => <Money quota={user.used_quota} />,
      },
      {
        key: 'requests',
        ...sortable(t('columns.requests'), 'request_count'),
        align: 'right',
        className: 'secondary',
        from: 1200,
        render: (_, user) => <span className="number">{formatCount(user.request_count)}</span>,
      },
      {
        key: 'active',
        title: t('columns.active'),
        className: styles.afterNumber!,
        render: (_, user) => <LastActive user={user} />,
      },
      {
        key: 'invites',
        title: t('columns.invites'),
        from: 1440,
        className: styles.afterNumber!,
        render: (_, user) => <InviteFacts user={user} />,
      },
      {
        key: 'actions',
        title: <span className="visually-hidden">{t('columns.actions')}</span>,
        align: 'right',
        fixed: 'right',
        render: (_, user) => <UserActionButtons user={user} />,
      },
    ])
  }, [t, sorting])
}

export function UserCard({ user }: { user: ListedUser }) {
  const { t } = useTranslation('users')
  return (
    <RowCard
      title={<UserName user={user} isCard />}
      note={[user.display_name !== user.username && user.display_name, user.email].filter(Boolean).join(' · ')}
      aside={
        <>
          {isOutOfUse(user) && <UserStatusTag user={user} />}
          <Balance quota={user.quota} />
        </>
      }
      actions={<UserActionButtons user={user} />}
      details={
        <Facts
          facts={[
            { term: t('columns.id'), value: <span className="number">{user.id}</span> },
            ...(user.email === '' ? [] : [{ term: t('bindings.email'), value: user.email }]),
            { term: t('columns.left'), value: <Money quota={user.quota} /> },
            { term: t('columns.used'), value: <Money quota={user.used_quota} /> },
            { term: t('columns.role'), value: <RoleTag role={user.role} /> },
            { term: t('columns.status'), value: <UserStatusTag user={user} /> },
            { term: t('columns.group'), value: <GroupName group={user.group} /> },
            { term: t('columns.requests'), value: <span className="number">{formatCount(user.request_count)}</span> },
            { term: t('columns.active'), value: <LastActive user={user} /> },
            { term: t('columns.invites'), value: <InviteFacts user={user} /> },
          ]}
        />
      }
    />
  )
}

function LastActive({ user: { last_active_time: time } }: { user: ListedUser }) {
  if (!time) return <span className="secondary">–</span> // also from a server of an older version
  return <Time unixSeconds={Math.floor(Date.parse(time) / 1000)} />
}

/** An account without credit cannot send requests. */
const Balance = ({ quota }: { quota: number }) => (
  <span className={styles.credit} data-spent={quota <= 0 || undefined}>
    <Money quota={quota} />
  </span>
)

function Email({ user: { email } }: { user: ListedUser }) {
  return email === '' ? <span className="secondary">–</span> : <span title={email}>{email}</span>
}

/** A card opens by a tap. */
function UserName({ user, isCard = false }: { user: ListedUser; isCard?: boolean }) {
  const { t } = useTranslation('users')
  const { edit } = useActions()
  const canEdit = useOffered(user).has('edit')
  const isMe = useSession((session) => session.user?.id === user.id)
  const { username, display_name: displayName } = user
  return (
    <span className={styles.user}>
      {!isCard && (
        <span className={styles.avatar} aria-hidden>
          {[...(displayName || username)][0]?.toUpperCase()}
        </span>
      )}
      <span className={styles.username}>
        {canEdit && !isCard ? (
          <RowName label={t('actionOn.edit', { name: username })} onClick={() => edit(user.id)}>
            {username}
          </RowName>
        ) : (
          <span title={username}>{username}</span>
        )}
        {isMe && (
          <StatusTag tone="neutral" plain>
            {t('you')}
          </StatusTag>
        )}
      </span>
      {!isCard && displayName !== '' && displayName !== username && (
        <span className={styles.others} title={displayName}>
          {displayName}
        </span>
      )}
    </span>
  )
}

/** Nearly every row has the usual value, so only other values are marked. */
function Usual({ isUsual, text, children }: { isUsual: boolean; text: string; children: ReactNode }) {
  return isUsual ? <span className="secondary">{text}</span> : children
}

const ROLE_TONES = { user: 'neutral', admin: 'info', root: 'warn' } as const satisfies Record<keyof typeof ROLES, Tone>

function RoleTag({ role }: { role: number }) {
  const { t } = useTranslation('users')
  const name = (Object.keys(ROLE_TONES) as (keyof typeof ROLE_TONES)[]).find((known) => ROLES[known] === role)
  return (
    <StatusTag tone={name ? ROLE_TONES[name] : 'neutral'} plain>
      {t(`roles.${name ?? 'unknown'}`)}
    </StatusTag>
  )
}

function UserStatusTag({ user }: { user: Pick<ListedUser, 'status' | 'DeletedAt'> }) {
  const { t } = useTranslation('users')
  if (user.DeletedAt !== null) return <StatusTag tone="neutral">{t('status.deregistered')}</StatusTag>
  switch (user.status) {
    case USER_STATUS.active:
      return <StatusTag tone="good">{t('status.active')}</StatusTag>
    case USER_STATUS.banned:
      return <StatusTag tone="bad">{t('status.banned')}</StatusTag>
    case STATUS_EXISTS:
      return <StatusTag tone="warn">{t('status.exists')}</StatusTag>
    default:
      return <StatusTag tone="neutral">{t('status.unknown')}</StatusTag>
  }
}

export const isOutOfUse = ({ status, DeletedAt }: ListedUser): boolean =>
  DeletedAt !== null || status !== USER_STATUS.active

/** Users invited by this user, what that earned, and who invited this user. */
function InviteFacts({ user }: { user: ListedUser }) {
  const { t } = useTranslation('users')
  const { aff_count: invited, aff_history_quota: earned, inviter_id: inviter } = user
  if (invited === 0 && earned === 0 && inviter === 0) return <span className="secondary">–</span>
  return (
    <span className={styles.invites}>
      {(invited > 0 || earned > 0) && (
        <span className="number" title={t('invites.sum', { count: invited, earned: formatBalance(earned) })}>
          {t('invites.count', { count: invited })}
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

function GroupName({ group }: { group: string }) {
  return (
    <span className={`secondary ${styles.group}`} title={group}>
      {group}
    </span>
  )
}
