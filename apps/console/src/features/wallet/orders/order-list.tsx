import { ReloadOutlined, ShoppingOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import type { TopUpOrder } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { usePageState } from '../../../lib/url-state.ts'
import { ResourceTable } from '../../../components/resource/resource-table.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { Pager } from '../../../ui/table/pager.tsx'
import { ordersQuery } from '../queries.ts'
import { useRefresh } from '../use-refresh.ts'
import styles from '../wallet.module.css'
import { OrderCard } from './order-card.tsx'
import { useOrderColumns } from './use-order-columns.tsx'

/** Own top-up orders and what became of them. */
export function OrderList() {
  const { t } = useTranslation('wallet')
  const { t: common } = useTranslation()
  const pages = usePageState()
  const orders = useQuery(ordersQuery(pages.page, pages.size))
  const columns = useOrderColumns()
  const { refresh, isRefreshing } = useRefresh()
  return (
    <>
      <div className={styles.above}>
        <span className={styles.tools}>
          <Button icon={<ReloadOutlined aria-hidden />} loading={isRefreshing} onClick={refresh}>
            {common('refresh')}
          </Button>
        </span>
      </div>
      <ResourceTable<TopUpOrder>
        label={t('tabs.orders')}
        rows={orders.data?.items}
        rowKey={idOf}
        columns={columns}
        renderCard={(order) => <OrderCard order={order} />}
        isFaded={isExpired}
        refreshing={orders.isFetching && orders.isPlaceholderData}
        error={orders.error}
        onRetry={orders.refetch}
        empty={
          pages.page === 1 ? (
            <EmptyState
              icon={<ShoppingOutlined aria-hidden />}
              title={t('orders.empty')}
              hint={t('orders.emptyHint')}
            />
          ) : (
            <EmptyState
              title={t('emptyPage')}
              action={<Button onClick={() => pages.turn(1, pages.size)}>{t('firstPage')}</Button>}
            />
          )
        }
        footer={<Pager state={pages} shown={orders.data?.items.length ?? 0} total={orders.data?.total ?? 0} />}
      />
    </>
  )
}

const idOf = ({ id }: TopUpOrder) => id
const isExpired = ({ status, completed_at }: TopUpOrder) =>
  status === 'expired' || (status === 'failed' && completed_at === 0)
