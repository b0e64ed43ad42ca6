import { ShoppingOutlined } from '@ant-design/icons'
import type { TopUpOrder } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Money } from '../../components/money.tsx'
import { Method, OrderState, Price, TradeNumber } from '../../components/payment-orders/cells.tsx'
import { ResourceList } from '../../components/resource/resource-list.tsx'
import { usePageState } from '../../lib/url-state.ts'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { RowCard } from '../../ui/table/row-card.tsx'
import { ordersQuery, useWalletRefresh } from './api.ts'

/** The user's own top-up orders. */
export function OrderList() {
  const { t } = useTranslation('wallet')
  const pages = usePageState()
  const query = useQuery(ordersQuery(pages))
  const columns = useOrderColumns()
  return (
    <ResourceList
      label={t('tabs.orders')}
      query={query}
      pages={pages}
      refresh={useWalletRefresh()}
      rowKey={idOf}
      columns={columns}
      renderCard={(order) => <OrderCard order={order} />}
      isFaded={isExpired}
      empty={{ icon: <ShoppingOutlined aria-hidden />, title: t('orders.empty'), hint: t('orders.emptyHint') }}
    />
  )
}

const idOf = ({ id }: TopUpOrder) => id

const isExpired = ({ status, completed_at }: TopUpOrder) =>
  status === 'expired' || (status === 'failed' && completed_at === 0)

function useOrderColumns(): Column<TopUpOrder>[] {
  const { t } = useTranslation('wallet')
  return useMemo(
    () => [
      {
        key: 'time',
        title: t('orders.columns.time'),
        render: (_, { created_at }) => <Time unixSeconds={created_at} exact />,
      },
      {
        key: 'tradeNo',
        title: t('orders.columns.tradeNo'),
        from: 1024,
        render: (_, { trade_no }) => <TradeNumber number={trade_no} />,
      },
      {
        key: 'method',
        title: t('orders.columns.method'),
        render: (_, { payment_method }) => <Method name={payment_method} />,
      },
      { key: 'money', title: t('orders.columns.money'), align: 'right', render: (_, order) => <Price {...order} /> },
      {
        key: 'quota',
        title: t('orders.columns.quota'),
        align: 'right',
        render: (_, { quota }) => <Money quota={quota} />,
      },
      { key: 'status', title: t('orders.columns.status'), render: (_, order) => <OrderState order={order} /> },
    ],
    [t],
  )
}

function OrderCard({ order }: { order: TopUpOrder }) {
  const { t } = useTranslation('wallet')
  return (
    <RowCard
      title={<Price {...order} />}
      aside={<OrderState order={order} />}
      note={<Time unixSeconds={order.created_at} short />}
      details={
        <Facts
          facts={[
            { term: t('orders.columns.quota'), value: <Money quota={order.quota} /> },
            { term: t('orders.columns.method'), value: <Method name={order.payment_method} /> },
            { term: t('orders.columns.time'), value: <Time unixSeconds={order.created_at} exact /> },
            { term: t('orders.columns.tradeNo'), value: <TradeNumber number={order.trade_no} /> },
          ]}
        />
      }
    />
  )
}
