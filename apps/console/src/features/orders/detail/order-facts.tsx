import type { OrderDetail } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { OrderStatus, Price, TradeNumber } from '../../../lib/orders/cells.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Time } from '../../../ui/time.tsx'
import { Credit, Customer, ProviderAndMethod } from '../cells.tsx'
import styles from '../orders.module.css'

/** What was ordered, by whom, and how far it came. */
export function OrderFacts({ order }: { order: OrderDetail }) {
  const { t } = useTranslation('orders')
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
          { term: t('columns.credit'), value: <Credit quota={order.quota} /> },
          { term: t('columns.method'), value: <ProviderAndMethod order={order} /> },
          { term: t('columns.user'), value: <Customer order={order} /> },
          {
            term: t('detail.statement'),
            value: <Link to={`/admin/users/${order.user_id}/statement`}>{t('detail.toStatement')}</Link>,
          },
          { term: t('columns.placed'), value: <Time unixSeconds={order.created_at} exact /> },
          ...timesOf(order).map(({ name, at }) => ({ term: t(name), value: <Time unixSeconds={at} exact /> })),
        ]}
      />
      <div className={styles.numbers}>
        <Facts
          facts={[
            { term: t('columns.tradeNo'), value: <TradeNumber number={order.trade_no} /> },
            ...(order.provider_reference
              ? [{ term: t('detail.reference'), value: <TradeNumber number={order.provider_reference} /> }]
              : []),
          ]}
        />
      </div>
    </section>
  )
}

/** An order that was credited no longer expires. */
function timesOf({ status, completed_at: completed, expires_at: expires }: OrderDetail) {
  if (status === 'success') return completed > 0 ? [{ name: 'ending.success', at: completed } as const] : []
  return expires > 0 ? [{ name: `ending.${status}`, at: expires } as const] : []
}
