import { isAdmin } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { securityQuery } from '../../components/reauth/security-query.ts'
import { useSession } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { LoadError } from '../../components/resource/load-error.tsx'
import { Skeleton } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { CheckInCard } from './check-in/check-in-card.tsx'
import { InviteCard } from './invites/invite-card.tsx'
import styles from './account.module.css'
import { ProfileCard } from './profile/profile-card.tsx'
import { ownModelsQuery, selfQuery } from './queries.ts'
import { SettingTabs } from './setting-tabs.tsx'
import { UnsavedForms } from './unsaved-forms.tsx'

export default function MePage() {
  const { t } = useTranslation('me')
  const { t: shell } = useTranslation('shell')
  const { t: common } = useTranslation()
  const { check_in_enabled, aff_enabled } = useStatus()
  const self = useQuery(selfQuery)
  const models = useQuery(ownModelsQuery)
  const role = useSession(({ user }) => user?.role ?? 0)
  const security = useQuery({ ...securityQuery, enabled: isAdmin(role) })
  // Nothing else of the page can be read until a second factor is set up.
  const mustEnrol = security.data?.second_factor_missing ?? false
  return (
    <>
      <PageHeader title={shell('titles.me')} purpose={t('purpose')} />
      {self.error && !self.data ? (
        <LoadError
          title={common('errors.loadFailed')}
          error={self.error}
          retrying={self.isFetching}
          onRetry={self.refetch}
        />
      ) : self.isPending || !models.isFetched ? (
        // All at once: a card that grows would push those beneath it away.
        <Skeleton active avatar paragraph={{ rows: 12 }} />
      ) : (
        <UnsavedForms>
          <div className={styles.page}>
            {!mustEnrol && <ProfileCard user={self.data} />}
            {!mustEnrol && (check_in_enabled || aff_enabled) && (
              <div className={styles.pair}>
                {check_in_enabled && <CheckInCard />}
                {aff_enabled && <InviteCard user={self.data} />}
              </div>
            )}
            <SettingTabs user={self.data} />
          </div>
        </UnsavedForms>
      )}
    </>
  )
}
