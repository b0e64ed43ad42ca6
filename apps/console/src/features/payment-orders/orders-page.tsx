import { TransactionOutlined } from '@ant-design/icons'
import { isRoot, ORDER_STATUSES, type TopUpOrder } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { ResourceList } from '../../components/resource/resource-list.tsx'
import { useDrawerState, usePageState } from '../../lib/url-state.ts'
import { useStableActions } from '../../lib/use-stable-actions.ts'
import { useFilters } from '../../ui/filters/define-filters.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { ordersQuery } from './api.ts'
import { OrderCard, useOrderColumns, useProviderName } from './columns.tsx'
import { orderFilters, PROVIDERS } from './filters.ts'

const OrderDrawer = lazy(() => import('./order-drawer.tsx'))

export default function OrdersPage() {
  const { t } = useTranslation('orders')
  const { t: wallet } = useTranslation('wallet')
  const pages = usePageState()
  const filters = useFilters(orderFilters)
  const query = useQuery(ordersQuery(filters.values, pages))
  const drawers = useDrawerState()
  const { open } = useStableActions({ open: (id: number) => drawers.open('order', id) })
  const columns = useOrderColumns(open)
  const providerName = useProviderName()
  const mayConfigure = useSession(({ user }) => isRoot(user?.role ?? 0))
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} />
      <ResourceList
        label={t('list')}
        query={query}
        pages={pages}
        filters={{
          state: filters,
          fields: {
            trade_no: { label: t('filters.tradeNo') },
            user_id: { label: t('filters.user') },
            status: {
              label: t('filters.status'),
              options: ORDER_STATUSES.map((value) => ({ value, label: wallet(`orders.status.${value}`) })),
            },
            provider: {
              label: t('filters.provider'),
              options: PROVIDERS.map((value) => ({ value, label: providerName(value) })),
            },
          },
        }}
        rowKey={idOf}
        columns={columns}
        renderCard={(order) => <OrderCard order={order} onOpen={open} />}
        isFaded={isExpired}
        empty={{
          icon: <TransactionOutlined aria-hidden />,
          title: t('empty.title'),
          hint: t('empty.hint'),
          action: mayConfigure && <Link to="/admin/settings?tab=system#payment">{t('empty.action')}</Link>,
        }}
      />
      <Suspense>
        {drawers.renderFor('order', (drawer) => (
          <OrderDrawer {...drawer} />
        ))}
      </Suspense>
    </>
  )
}

const idOf = ({ id }: TopUpOrder) => id

const isExpired = ({ status, completed_at }: TopUpOrder) =>
  status === 'expired' || (status === 'failed' && completed_at === 0)
