import { EditOutlined } from '@ant-design/icons'
import { isAdmin, isRoot, type User } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { Button, Skeleton } from '../../../ui/kit/index.ts'
import { Money } from '../../../components/money.tsx'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import styles from '../account.module.css'
import { ModelList } from './model-list.tsx'
import { ProfileDialog } from './profile-dialog.tsx'

export function ProfileCard({ user }: { user: User | undefined }) {
  const { t } = useTranslation('me')
  return (
    <section className={styles.card} aria-label={t('profile.label')}>
      {user ? (
        <>
          <Who user={user} />
          <Numbers user={user} />
        </>
      ) : (
        <Skeleton active avatar paragraph={{ rows: 3 }} />
      )}
      <ModelList />
    </section>
  )
}

function Who({ user }: { user: User }) {
  const { t } = useTranslation('me')
  const [isEditing, setEditing] = useState(false)
  const name = user.display_name || user.username
  return (
    <div className={styles.who}>
      <span className={styles.avatar} aria-hidden>
        {[...name][0]?.toUpperCase()}
      </span>
      <div className={styles.names}>
        <h2>{name}</h2>
        <p className="secondary">
          {user.username} · ID {user.id}
          <CopyButton text={String(user.id)} label={t('profile.copyId', { id: user.id })} />
        </p>
        <div className={styles.tags}>
          <StatusTag tone="info" plain>
            {t(`profile.role.${roleName(user.role)}`)}
          </StatusTag>
          <StatusTag tone="neutral" plain>
            {t('profile.group', { group: user.group })}
          </StatusTag>
        </div>
      </div>
      <Button className={styles.far} icon={<EditOutlined aria-hidden />} onClick={() => setEditing(true)}>
        {t('profile.edit')}
      </Button>
      <ProfileDialog user={user} open={isEditing} onClose={() => setEditing(false)} />
    </div>
  )
}

function Numbers({ user }: { user: User }) {
  const { t } = useTranslation('me')
  return (
    <dl className={styles.numbers}>
      <div>
        <dt>{t('profile.balance')}</dt>
        <dd>
          <Money quota={user.quota} />
        </dd>
      </div>
      <div>
        <dt>{t('profile.used')}</dt>
        <dd>
          <Money quota={user.used_quota} />
        </dd>
      </div>
      <div>
        <dt>{t('profile.requests')}</dt>
        <dd className="number">{formatCount(user.request_count)}</dd>
      </div>
    </dl>
  )
}

function roleName(role: number): 'user' | 'admin' | 'root' {
  return isRoot(role) ? 'root' : isAdmin(role) ? 'admin' : 'user'
}
