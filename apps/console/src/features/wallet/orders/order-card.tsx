import type { TopUpOrder } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Method, OrderState, Price, TradeNumber } from '../../../components/payment-orders/cells.tsx'
import { Facts } from '../../../ui/page/facts.tsx'
import { Money } from '../../../components/money.tsx'
import { RowCard } from '../../../ui/table/row-card.tsx'
import { Time } from '../../../ui/page/time.tsx'

export function OrderCard({ order }: { order: TopUpOrder }) {
  const { t } = useTranslation('wallet')
  return (
    <RowCard title={<Price {...order} />} aside={<OrderState order={order} />}>
      <Facts
        facts={[
          { term: t('orders.columns.quota'), value: <Money quota={order.quota} /> },
          { term: t('orders.columns.method'), value: <Method name={order.payment_method} /> },
          { term: t('orders.columns.time'), value: <Time unixSeconds={order.created_at} exact /> },
          { term: t('orders.columns.tradeNo'), value: <TradeNumber number={order.trade_no} /> },
        ]}
      />
    </RowCard>
  )
}
