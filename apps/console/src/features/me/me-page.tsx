import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { ModelsCard } from './models-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { selfQuery } from './queries.ts'
import styles from './me.module.css'

export default function MePage() {
  const { t } = useTranslation('me')
  const { t: shell } = useTranslation('shell')
  const { t: common } = useTranslation()
  const self = useQuery(selfQuery)
  return (
    <>
      <PageHeader title={shell('titles.me')} purpose={t('purpose')} />
      {self.error && !self.data ? (
        <ErrorState
          title={common('errors.loadFailed')}
          error={self.error}
          retrying={self.isFetching}
          onRetry={self.refetch}
        />
      ) : (
        <div className={styles.cards}>
          <ProfileCard user={self.data} />
          <ModelsCard />
          <p className="secondary">{t('more')}</p>
        </div>
      )}
    </>
  )
}
