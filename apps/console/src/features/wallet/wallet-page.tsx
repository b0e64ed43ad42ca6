import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { monthSpendingQuery } from '../../api/month-spending.ts'
import { useSession } from '../../api/session.ts'
import { LoadError } from '../../components/resource/load-error.tsx'
import { Statement } from '../../components/statement/statement.tsx'
import { useUrlState } from '../../lib/url-state.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { Tabs } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { ownStatement, selfQuery, topUpInfoQuery, useWalletRefresh } from './api.ts'
import { BalanceCard } from './cards.tsx'
import { OrderList } from './order-list.tsx'
import { RedeemCard } from './redeem-card.tsx'
import { TopUpCard } from './top-up-card.tsx'
import styles from './wallet.module.css'

export default function WalletPage() {
  const { t } = useTranslation('wallet')
  const { t: shell } = useTranslation('shell')
  const { t: common } = useTranslation()
  const self = useQuery(selfQuery)
  const topUp = useQuery(topUpInfoQuery)
  const month = useQuery(monthSpendingQuery)
  return (
    <>
      <PageHeader title={shell('titles.wallet')} purpose={t('purpose')} />
      {self.error && !self.data ? (
        <LoadError
          title={common('errors.loadFailed')}
          error={self.error}
          retrying={self.isFetching}
          onRetry={self.refetch}
        />
      ) : !self.data || topUp.isPending || month.isPending ? (
        // All cards appear together, so that the layout does not shift.
        <SkeletonLines lines={12} title />
      ) : (
        <div className={styles.page}>
          <div className={styles.pair}>
            <BalanceCard user={self.data} month={month.data} />
            <RedeemCard />
          </div>
          <TopUpCard />
          <HistoryTabs />
        </div>
      )}
    </>
  )
}

const TABS = ['statement', 'orders'] as const

/** Statement and orders. Only the open tab is mounted, because both use the page in the URL. */
function HistoryTabs() {
  const { t } = useTranslation('wallet')
  const { search, change } = useUrlState()
  const open = TABS.find((tab) => tab === search.get('tab')) ?? TABS[0]
  const show = (tab: string) => change({ tab: tab === TABS[0] ? null : tab, kind: null, page: null }, { replace: true })
  return (
    <Tabs
      className={styles.tabs}
      activeKey={open}
      onChange={show}
      destroyOnHidden
      items={TABS.map((tab) => ({
        key: tab,
        label: t(`tabs.${tab}`),
        children: tab === 'orders' ? <OrderList /> : <OwnStatement />,
      }))}
    />
  )
}

function OwnStatement() {
  const { t } = useTranslation('wallet')
  const username = useSession((session) => session.user?.username ?? '')
  return (
    <Statement
      source={ownStatement}
      username={username}
      empty={{ title: t('statement.empty'), hint: t('statement.emptyHint') }}
      refresh={useWalletRefresh()}
    />
  )
}
