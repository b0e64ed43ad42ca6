import { useTranslation } from 'react-i18next'
import { useUrlState } from '../../lib/url-state.ts'
import { Tabs } from '../../ui/kit/index.ts'
import { OrderList } from './orders/order-list.tsx'
import { OwnStatement } from './statement/own-statement.tsx'
import styles from './wallet.module.css'

const TABS = ['statement', 'orders'] as const

/** What moved the balance, and what was ordered. Only the open tab is there: both turn the same pages of the address. */
export function HistoryTabs() {
  const { t } = useTranslation('wallet')
  const { search, change } = useUrlState()
  const open = TABS.find((tab) => tab === search.get('tab')) ?? TABS[0]
  const turn = (tab: string) => change({ tab: tab === TABS[0] ? null : tab, kind: null, page: null }, { replace: true })
  return (
    <Tabs
      className={styles.tabs}
      activeKey={open}
      onChange={turn}
      destroyOnHidden
      items={TABS.map((tab) => ({
        key: tab,
        label: t(`tabs.${tab}`),
        children: tab === 'orders' ? <OrderList /> : <OwnStatement />,
      }))}
    />
  )
}
