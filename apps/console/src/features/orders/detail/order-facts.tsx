import type { OrderDetail } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { OrderStatus, Price, TradeNumber } from '../../../lib/orders/cells.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Time } from '../../../ui/time.tsx'
import { Credit, Customer, endingOf, ProviderAndMethod } from '../cells.tsx'
import { ReversalFacts } from './reversal-facts.tsx'
import styles from '../orders.module.css'

/** What was ordered, by whom, and how far it came. */
export function OrderFacts({ order }: { order: OrderDetail }) {
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
          { term: t('columns.credit'), value: <Credit quota={order.quota} /> },
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
