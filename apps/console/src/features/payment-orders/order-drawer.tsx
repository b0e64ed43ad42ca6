import type { OrderDetail } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { ApiError } from '../../api/errors.ts'
import { Money } from '../../components/money.tsx'
import { OrderStatus, Price, TradeNumber } from '../../components/payment-orders/cells.tsx'
import { LoadError } from '../../components/resource/load-error.tsx'
import { useOpenings } from '../../lib/use-openings.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Alert } from '../../ui/kit/index.ts'
import { SideDrawer } from '../../ui/overlay/side-drawer.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import { orderQuery } from './api.ts'
import { Customer, endingOf, ProviderAndMethod } from './columns.tsx'
import styles from './orders.module.css'
import { PaymentEvents } from './payment-events.tsx'
import { Recheck } from './recheck.tsx'

interface Props {
  open: boolean
  id: number
  onClose(): void
}

/** One order with the events of its payment service. */
export default function OrderDrawer({ open, id, onClose }: Props) {
  const { t } = useTranslation('orders')
  const { t: common } = useTranslation()
  const opening = useOpenings(open, id)
  const { data: order, error, isFetching, refetch } = useQuery({ ...orderQuery(id), enabled: open })
  return (
    <SideDrawer title={t('detail.title', { id })} open={open} onClose={onClose}>
      {content()}
    </SideDrawer>
  )

  function content() {
    if (order) {
      return (
        <>
          <OrderFacts order={order} />
          <Recheck key={opening} order={order} />
          <PaymentEvents order={order} />
        </>
      )
    }
    if (!error) return <SkeletonLines lines={10} title />
    if (error instanceof ApiError && error.code === 'order_not_found')
      return <EmptyState title={t('detail.notFound')} hint={t('detail.notFoundHint', { id })} />
    return <LoadError title={common('errors.loadFailed')} error={error} retrying={isFetching} onRetry={refetch} />
  }
}

/** Amount, user, status and references of an order. */
function OrderFacts({ order }: { order: OrderDetail }) {
  const { t } = useTranslation('orders')
  const ending = endingOf(order)
  return (
    <section className={styles.part} aria-label={t('detail.order')}>
      <div className={styles.sum}>
        <span className={styles.price}>
          <Price {...order} />
        </span>
        <OrderStatus status={order.status} />
      </div>
      <Facts
        facts={[
          { term: t('columns.credit'), value: <Money quota={order.quota} /> },
          { term: t('columns.method'), value: <ProviderAndMethod order={order} /> },
          { term: t('columns.user'), value: <Customer order={order} /> },
          {
            term: t('detail.statement'),
            value: <Link to={`/admin/users/${order.user_id}/statement`}>{t('detail.toStatement')}</Link>,
          },
          { term: t('columns.placed'), value: <Time unixSeconds={order.created_at} exact /> },
          ...(ending.at > 0
            ? [{ term: t(`ending.${ending.name}`), value: <Time unixSeconds={ending.at} exact /> }]
            : []),
        ]}
      />
      <ReversalFacts order={order} />
      <div className={styles.numbers}>
        <Facts
          facts={[
            { term: t('columns.tradeNo'), value: <TradeNumber number={order.trade_no} /> },
            ...(order.provider_reference
              ? [{ term: t('detail.reference'), value: <TradeNumber number={order.provider_reference} /> }]
              : []),
            ...(order.payment_reference
              ? [{ term: t('detail.payment'), value: <TradeNumber number={order.payment_reference} /> }]
              : []),
          ]}
        />
      </div>
    </section>
  )
}

/** Amounts reversed by refunds and disputes, and the parts that balances did not cover. */
function ReversalFacts({ order }: { order: OrderDetail }) {
  const { t } = useTranslation('orders')
  const { reversed_money: money, reversed_quota, owed_quota, rebate_reversed, rebate_owed, currency } = order
  if (Number(money) === 0) return null
  const credits = [
    ['reversedQuota', reversed_quota],
    ['owed', owed_quota],
    ['rebate', rebate_reversed],
    ['rebateOwed', rebate_owed],
  ] as const
  return (
    <>
      <Facts
        facts={[
          { term: t('detail.reversedMoney'), value: <Price money={money} currency={currency} /> },
          ...credits
            .filter(([, quota]) => quota > 0)
            .map(([name, quota]) => ({ term: t(`detail.${name}`), value: <Money quota={quota} /> })),
        ]}
      />
      {(owed_quota > 0 || rebate_owed > 0) && <Alert type="warning" showIcon title={t('detail.owedHint')} />}
    </>
  )
}
