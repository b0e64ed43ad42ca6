import type { TopUpOrder } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Money } from '../../components/money.tsx'
import { Method, OrderState, Price, TradeNumber } from '../../components/payment-orders/cells.tsx'
import { formatExactTime } from '../../lib/format.ts'
import { Button, Tooltip } from '../../ui/kit/index.ts'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { RowButton } from '../../ui/table/row-button.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import { PROVIDERS } from './filters.ts'
import styles from './orders.module.css'

export function useOrderColumns(onOpen: (id: number) => void): Column<TopUpOrder>[] {
  const { t } = useTranslation('orders')
  return useMemo(
    (): Column<TopUpOrder>[] => [
      { key: 'user', title: t('columns.user'), render: (_, order) => <Customer order={order} /> },
      {
        key: 'tradeNo',
        title: t('columns.tradeNo'),
        from: 1200,
        render: (_, { trade_no }) => <TradeNumber number={trade_no} />,
      },
      { key: 'method', title: t('columns.method'), render: (_, order) => <ProviderAndMethod order={order} /> },
      {
        key: 'credit',
        title: t('columns.credit'),
        align: 'right',
        from: 1024,
        render: (_, { quota }) => <Money quota={quota} />,
      },
      { key: 'price', title: t('columns.price'), align: 'right', render: (_, order) => <Price {...order} /> },
      { key: 'status', title: t('columns.status'), render: (_, order) => <StateWithTime order={order} /> },
      {
        key: 'placed',
        title: t('columns.placed'),
        render: (_, order) => <Time unixSeconds={order.created_at} exact />,
      },
      {
        key: 'actions',
        title: <span className="visually-hidden">{t('columns.actions')}</span>,
        align: 'right',
        fixed: 'right',
        render: (_, { id, trade_no: number }) => (
          <RowButton main outlined label={t('openOf', { number })} onClick={() => onOpen(id)}>
            {t('open')}
          </RowButton>
        ),
      },
    ],
    [t, onOpen],
  )
}

interface CardProps {
  order: TopUpOrder
  onOpen(id: number): void
}

export function OrderCard({ order, onOpen }: CardProps) {
  const { t } = useTranslation('orders')
  const ending = endingOf(order)
  return (
    <RowCard
      title={order.username}
      note={<Time unixSeconds={order.created_at} short />}
      aside={
        <>
          <OrderState order={order} />
          <Price {...order} />
        </>
      }
      actions={
        <Button size="small" aria-label={t('openOf', { number: order.trade_no })} onClick={() => onOpen(order.id)}>
          {t('open')}
        </Button>
      }
      details={
        <>
          <Facts
            facts={[
              { term: t('columns.user'), value: <Customer order={order} /> },
              { term: t('columns.placed'), value: <Time unixSeconds={order.created_at} exact /> },
              { term: t('columns.credit'), value: <Money quota={order.quota} /> },
              { term: t('columns.method'), value: <ProviderAndMethod order={order} /> },
              ...(ending.at > 0
                ? [{ term: t(`ending.${ending.name}`), value: <Time unixSeconds={ending.at} exact /> }]
                : []),
            ]}
          />
          <div className={styles.numbers}>
            <Facts facts={[{ term: t('columns.tradeNo'), value: <TradeNumber number={order.trade_no} /> }]} />
          </div>
        </>
      }
    />
  )
}

export function Customer({ order: { user_id: id, username } }: { order: TopUpOrder }) {
  return (
    <span className={styles.customer}>
      <Link to={`/admin/users?keyword=${id}`}>{username}</Link>
      <span className="secondary number">#{id}</span>
    </span>
  )
}

export function useProviderName(): (provider: string) => string {
  const { t } = useTranslation('orders')
  return (provider) => {
    const known = PROVIDERS.find((name) => name === provider)
    return known ? t(`providers.${known}`) : provider
  }
}

/** Payment method and payment service. */
export function ProviderAndMethod({ order }: { order: TopUpOrder }) {
  const providerName = useProviderName()
  return (
    <span className={styles.facets}>
      <Method name={order.payment_method} />
      <span className="secondary">{providerName(order.provider)}</span>
    </span>
  )
}

/** A credited order no longer expires, even if it is refunded later. */
export function endingOf({ status, completed_at: completed, expires_at: expires }: TopUpOrder) {
  if (completed > 0) return { at: completed, name: 'success' as const }
  if (status === 'pending' || status === 'expired') return { at: expires, name: status }
  return { at: 0, name: 'expired' as const }
}

/** The status; on hover, when the order was credited, or when it expires or expired. */
function StateWithTime({ order }: { order: TopUpOrder }) {
  const { t } = useTranslation('orders')
  const { at, name } = endingOf(order)
  return (
    <Tooltip title={at > 0 && `${t(`ending.${name}`)} · ${formatExactTime(at)}`}>
      <span>
        <OrderState order={order} />
      </span>
    </Tooltip>
  )
}
