import type { User } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { securityQuery } from '../../components/reauth/api.ts'
import { LoadError } from '../../components/resource/load-error.tsx'
import { useUrlState } from '../../lib/url-state.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { Tabs } from '../../ui/kit/index.ts'
import { HelpPageContext } from '../../ui/page/help-link.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import styles from './account.module.css'
import { ownModelsQuery, selfQuery } from './api.ts'
import { InviteCard } from './invites/invite-card.tsx'
import { DeliveryList } from './notifications/delivery-list.tsx'
import { NotificationForm } from './notifications/notification-form.tsx'
import { PushSection } from './push/push-section.tsx'
import { CheckInCard } from './profile/check-in-card.tsx'
import { PreferenceForm } from './profile/preference-form.tsx'
import { ModelsCard, ProfileCard } from './profile/profile-card.tsx'
import { UnsavedForms } from './unsaved-forms.tsx'

export default function AccountPage() {
  const { t: shell } = useTranslation('shell')
  const { t: common } = useTranslation()
  const { check_in_enabled, aff_enabled } = useStatus()
  const self = useQuery(selfQuery)
  const models = useQuery(ownModelsQuery)
  const security = useQuery(securityQuery)
  const help = TAB_HELP[useTab()]
  // The server rejects all other requests until a second factor is set up.
  const needsSecondFactor = security.data?.second_factor_missing ?? false
  return (
    <HelpPageContext value={help}>
      <PageHeader title={shell('titles.me')} />
      {self.error && !self.data ? (
        <LoadError
          title={common('errors.loadFailed')}
          error={self.error}
          retrying={self.isFetching}
          onRetry={self.refetch}
        />
      ) : self.isPending || !models.isFetched || !security.isFetched ? (
        // Waits for all queries, so that cards do not shift when data arrives.
        <div className={styles.loading}>
          <SkeletonLines lines={12} title />
        </div>
      ) : (
        <UnsavedForms>
          <div className={styles.page}>
            {!needsSecondFactor && <ProfileCard user={self.data} />}
            <div className={styles.columns}>
              <SettingTabs user={self.data} />
              {!needsSecondFactor && (
                <div className={styles.side}>
                  {check_in_enabled && <CheckInCard />}
                  {aff_enabled && <InviteCard user={self.data} />}
                  <ModelsCard />
                </div>
              )}
            </div>
          </div>
        </UnsavedForms>
      )}
    </HelpPageContext>
  )
}

const SecuritySection = lazy(() =>
  import('./security/security-section.tsx').then(({ SecuritySection }) => ({ default: SecuritySection })),
)

const TABS = ['security', 'notifications', 'price', 'other'] as const
type Tab = (typeof TABS)[number]

/** The documentation of each tab. */
const TAB_HELP: Record<Tab, string> = {
  security: 'guides/secure#two-factor-authentication',
  notifications: 'guides/notifications',
  price: 'guides/price-models#models-without-a-price',
  other: 'concepts/logs',
}

/** The open tab. */
function useTab(): Tab {
  const { search } = useUrlState()
  return TABS.find((tab) => tab === search.get('tab')) ?? TABS[0]
}

/** The settings of the account. Opened tabs keep their state. */
export function SettingTabs({ user }: { user: User | undefined }) {
  const { t } = useTranslation('me')
  const { change } = useUrlState()
  const current = useTab()
  // The page number belongs to the delivery list. A tab adds no history entry, so that "back" leaves the page.
  const openTab = (tab: string) => change({ tab: tab === TABS[0] ? null : tab, page: null }, { replace: true })
  return (
    <Tabs
      className={styles.tabs}
      activeKey={current}
      onChange={openTab}
      // A small gap on phones, because the kit otherwise moves the last tabs into a menu.
      tabBarGutter={useIsPhone() ? 16 : 32}
      items={TABS.map((tab) => ({
        key: tab,
        label: t(`tabs.${tab}`),
        children: <Pane tab={tab} user={user} />,
      }))}
    />
  )
}

function Pane({ tab, user }: { tab: Tab; user: User | undefined }) {
  if (tab === 'security') {
    return (
      <Suspense
        fallback={
          <div className={styles.loading}>
            <SkeletonLines lines={4} title />
          </div>
        }
      >
        <SecuritySection />
      </Suspense>
    )
  }
  if (!user) return <SkeletonLines lines={4} title />
  if (tab === 'price') return <PreferenceForm user={user} name="accept_unset_model_ratio_model" />
  if (tab === 'other') return <PreferenceForm user={user} name="show_ip_in_logs" />
  return (
    <div className={styles.stack}>
      <NotificationForm user={user} />
      <PushSection />
      <DeliveryList />
    </div>
  )
}
