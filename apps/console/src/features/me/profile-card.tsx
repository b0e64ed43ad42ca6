import { isAdmin, isRoot, type User } from '@tidegate/contract/api'
import { Skeleton } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/format.ts'
import { Money } from '../../ui/money.tsx'
import { StatusTag } from '../../ui/status-tag.tsx'
import styles from './me.module.css'

export function ProfileCard({ user }: { user: User | undefined }) {
  const { t } = useTranslation('me')
  return (
    <section className={styles.card} aria-label={t('profile')}>
      {user ? (
        <>
          <div className={styles.who}>
            <span className={styles.avatar} aria-hidden>
              {[...(user.display_name || user.username)][0]?.toUpperCase()}
            </span>
            <div className={styles.names}>
              <h2>{user.display_name || user.username}</h2>
              <p className="secondary">
                {user.username} · ID {user.id}
              </p>
            </div>
            <div className={styles.tags}>
              <StatusTag tone="info" plain>
                {t(`role.${roleName(user.role)}`)}
              </StatusTag>
              <StatusTag tone="neutral" plain>
                {t('group')} {user.group}
              </StatusTag>
            </div>
          </div>
          <dl className={styles.numbers}>
            <div>
              <dt>{t('balance')}</dt>
              <dd>
                <Money quota={user.quota} />
              </dd>
            </div>
            <div>
              <dt>{t('used')}</dt>
              <dd>
                <Money quota={user.used_quota} />
              </dd>
            </div>
            <div>
              <dt>{t('requests')}</dt>
              <dd className="number">{formatCount(user.request_count)}</dd>
            </div>
          </dl>
        </>
      ) : (
        <Skeleton active avatar paragraph={{ rows: 3 }} />
      )}
    </section>
  )
}

function roleName(role: number): 'user' | 'admin' | 'root' {
  return isRoot(role) ? 'root' : isAdmin(role) ? 'admin' : 'user'
}
