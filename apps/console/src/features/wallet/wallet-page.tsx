import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../components/resource/load-error.tsx'
import { Skeleton } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { BalanceCard } from './balance-card.tsx'
import { HistoryTabs } from './history-tabs.tsx'
import { selfQuery, topUpInfoQuery } from './queries.ts'
import { RedeemCard } from './redeem/redeem-card.tsx'
import { TopUpCard } from './top-up/top-up-card.tsx'
import styles from './wallet.module.css'

export default function WalletPage() {
  const { t } = useTranslation('wallet')
  const { t: shell } = useTranslation('shell')
  const { t: common } = useTranslation()
  const self = useQuery(selfQuery)
  const topUp = useQuery(topUpInfoQuery)
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
      ) : self.isPending || topUp.isPending ? (
        // All at once: a card that grows would push those beneath it away.
        <Skeleton active paragraph={{ rows: 12 }} />
      ) : (
        <div className={styles.page}>
          <BalanceCard user={self.data} />
          <div className={styles.pair}>
            <TopUpCard />
            <RedeemCard />
          </div>
          <HistoryTabs />
        </div>
      )}
    </>
  )
}
