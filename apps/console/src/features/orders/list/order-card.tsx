import type { TopUpOrder } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { OrderState, Price, TradeNumber } from '../../../lib/orders/cells.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { RowCard } from '../../../ui/row-card.tsx'
import { Time } from '../../../ui/time.tsx'
import { Credit, Customer, Ending, ProviderAndMethod } from '../cells.tsx'
import styles from '../orders.module.css'

interface Props {
  order: TopUpOrder
  onOpen(id: number): void
}

export function OrderCard({ order, onOpen }: Props) {
  const { t } = useTranslation('orders')
  return (
    <RowCard
      title={<Price {...order} />}
      aside={<OrderState order={order} />}
      actions={
        <Button size="small" aria-label={t('openOf', { number: order.trade_no })} onClick={() => onOpen(order.id)}>
          {t('open')}
        </Button>
      }
    >
      <Facts
        facts={[
          { term: t('columns.user'), value: <Customer order={order} /> },
          { term: t('columns.credit'), value: <Credit quota={order.quota} /> },
          { term: t('columns.method'), value: <ProviderAndMethod order={order} /> },
          { term: t('columns.placed'), value: <Time unixSeconds={order.created_at} /> },
          { term: t('columns.ending'), value: <Ending order={order} /> },
        ]}
      />
      <div className={styles.numbers}>
        <Facts facts={[{ term: t('columns.tradeNo'), value: <TradeNumber number={order.trade_no} /> }]} />
      </div>
    </RowCard>
  )
}
