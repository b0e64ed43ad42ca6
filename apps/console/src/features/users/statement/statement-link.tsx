import type { ListedUser } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import styles from '../users.module.css'
import type { FromList } from './from-list.ts'

/** Leads from a row to everything that moved the user's balance. */
export function StatementLink({ user: { id, username } }: { user: Pick<ListedUser, 'id' | 'username'> }) {
  const { t } = useTranslation('users')
  const { search } = useLocation()
  return (
    <Link
      className={styles.statement}
      to={`/admin/users/${id}/statement`}
      state={{ username, list: search } satisfies FromList}
      aria-label={t('actionOn.statement', { name: username })}
    >
      {t('actions.statement')}
    </Link>
  )
}
