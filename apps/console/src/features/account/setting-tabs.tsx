import type { User } from '@tidegate/contract/api'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsPhone } from '../../lib/use-media.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Skeleton, Tabs } from '../../ui/kit/index.ts'
import { ChoiceForm } from './choices/choice-form.tsx'
import { DeliveryLog } from './deliveries/delivery-log.tsx'
import styles from './account.module.css'
import { NotificationForm } from './notifications/notification-form.tsx'

const SecuritySection = lazy(() =>
  import('./security/security-section.tsx').then(({ SecuritySection }) => ({ default: SecuritySection })),
)

const TABS = ['notifications', 'price', 'other', 'security'] as const
type Tab = (typeof TABS)[number]

/** All that can be set about the account. A tab that was opened stays as it was left. */
export function SettingTabs({ user }: { user: User | undefined }) {
  const { t } = useTranslation('me')
  const { search, change } = useUrlState()
  const open = TABS.find((tab) => tab === search.get('tab')) ?? TABS[0]
  // The pages of the list belong to its tab. The tab is no step of its own: "back" leaves for where one came from.
  const turn = (tab: string) => change({ tab: tab === TABS[0] ? null : tab, page: null }, { replace: true })
  return (
    <Tabs
      className={styles.tabs}
      activeKey={open}
      onChange={turn}
      // Closer on a phone, where they would not fit and the kit would hide the last ones in a menu.
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
      <Suspense fallback={<Skeleton active />}>
        <SecuritySection />
      </Suspense>
    )
  }
  if (!user) return <Skeleton active />
  if (tab === 'price') return <ChoiceForm user={user} name="accept_unset_model_ratio_model" />
  if (tab === 'other') return <ChoiceForm user={user} name="show_ip_in_logs" />
  return (
    <div className={styles.stack}>
      <NotificationForm user={user} />
      <DeliveryLog />
    </div>
  )
}
