import { EditOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { isAdmin, isRoot, type User } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../api/errors.ts'
import { Money } from '../../../components/money.tsx'
import { formatCount } from '../../../lib/format.ts'
import { stored } from '../../../lib/stored.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { Button } from '../../../ui/kit/index.ts'
import styles from '../account.module.css'
import { ownModelsQuery } from '../api.ts'
import { ProfileDialog } from './profile-dialog.tsx'

export function ProfileCard({ user }: { user: User | undefined }) {
  const { t } = useTranslation('me')
  return (
    <section className={`${styles.card} ${styles.profile}`} aria-label={t('profile.label')}>
      {user ? <Identity user={user} /> : <SkeletonLines lines={1} title />}
    </section>
  )
}

function Identity({ user }: { user: User }) {
  const { t } = useTranslation('me')
  const [isEditing, setEditing] = useState(false)
  const name = user.display_name || user.username
  return (
    <div className={styles.identity}>
      <span className={styles.avatar} aria-hidden>
        {[...name][0]?.toUpperCase()}
      </span>
      <div className={styles.names}>
        <div className={styles.nameLine}>
          <h2>{name}</h2>
          <StatusTag tone="info" plain>
            {t(`profile.role.${roleName(user.role)}`)}
          </StatusTag>
          <StatusTag tone="neutral" plain>
            {t('profile.group', { group: user.group })}
          </StatusTag>
        </div>
        <p className="secondary">
          {user.username} · ID {user.id}
          <CopyButton text={String(user.id)} label={t('profile.copyId', { id: user.id })} />
        </p>
      </div>
      <UsageFigures user={user} />
      <Button icon={<EditOutlined aria-hidden />} onClick={() => setEditing(true)}>
        {t('profile.edit')}
      </Button>
      <ProfileDialog user={user} open={isEditing} onClose={() => setEditing(false)} />
    </div>
  )
}

function UsageFigures({ user }: { user: User }) {
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

/** More models are hidden until the list is expanded. */
const SHOWN_MODELS = 10

/** The models that the user can call. A click copies a name. */
export function ModelsCard() {
  const { t } = useTranslation('me')
  const { t: common } = useTranslation()
  const models = useQuery(ownModelsQuery)
  return (
    <section className={styles.card} aria-labelledby="models-heading">
      <h2 id="models-heading">
        {t('models.title')}
        {models.data && models.data.length > 0 && <span className={styles.count}> {models.data.length}</span>}
      </h2>
      {models.data ? (
        <ModelNames names={models.data} />
      ) : models.error ? (
        <p className="secondary">
          {errorText(models.error)}
          <Button type="link" size="small" loading={models.isFetching} onClick={() => void models.refetch()}>
            {common('retry')}
          </Button>
        </p>
      ) : (
        <SkeletonLines lines={2} />
      )}
    </section>
  )
}

function ModelNames({ names }: { names: string[] }) {
  const { t } = useTranslation('me')
  const [expanded, setExpanded] = useState(() => stored.modelsExpanded.get() ?? false)
  if (names.length === 0) return <p className="secondary">{t('models.none')}</p>
  const toggle = () => {
    stored.modelsExpanded.set(!expanded)
    setExpanded(!expanded)
  }
  return (
    <>
      <ul className={styles.models} aria-labelledby="models-heading">
        {(expanded ? names : names.slice(0, SHOWN_MODELS)).map((name) => (
          <li key={name}>
            <CopyButton text={name} words={name} label={t('models.copy', { name })} />
          </li>
        ))}
      </ul>
      {names.length > SHOWN_MODELS && (
        <Button type="link" size="small" onClick={toggle} aria-expanded={expanded}>
          {expanded ? t('models.less') : t('models.all', { count: names.length })}
        </Button>
      )}
    </>
  )
}
