import type { UsageLog } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../lib/call-error.ts'
import { formatCount } from '../../../lib/format.ts'
import { useUrlState } from '../../../lib/use-url-state.ts'
import { Facts } from '../../../ui/facts.tsx'
import { Button, Skeleton } from '../../../ui/kit/index.ts'
import { Money } from '../../../ui/money.tsx'
import { PopoverButton } from '../../../ui/popover-button.tsx'
import styles from './list.module.css'
import { userQuery } from '../queries.ts'

/** Whose row it is; a click tells how they stand. */
export function UserCell({ log: { user_id: id, username } }: { log: UsageLog }) {
  const { t } = useTranslation('logs')
  if (username === '') return null
  return (
    <PopoverButton
      className={styles.user}
      label={t('user.show', { name: username })}
      title={username}
      content={<Standing id={id} username={username} />}
    >
      <span className={styles.initial} data-initial={[...username][0]?.toUpperCase()} aria-hidden />
      <span className={styles.name}>{username}</span>
    </PopoverButton>
  )
}

function Standing({ id, username }: { id: number; username: string }) {
  const { t } = useTranslation('logs')
  const { change } = useUrlState()
  const user = useQuery(userQuery(id))
  return (
    <div className={styles.standing}>
      {user.data ? (
        <Facts
          facts={[
            { term: t('user.balance'), value: <Money quota={user.data.quota} /> },
            { term: t('user.used'), value: <Money quota={user.data.used_quota} /> },
            { term: t('user.requests'), value: <span className="number">{formatCount(user.data.request_count)}</span> },
            { term: t('user.group'), value: user.data.group },
          ]}
        />
      ) : user.error ? (
        // Somebody of the same or a higher rank is nobody's business.
        <p role="alert">{errorText(user.error)}</p>
      ) : (
        <Skeleton active title={false} paragraph={{ rows: 2 }} />
      )}
      <Button size="small" onClick={() => change({ username, page: null })}>
        {t('user.onlyTheirs')}
      </Button>
    </div>
  )
}
