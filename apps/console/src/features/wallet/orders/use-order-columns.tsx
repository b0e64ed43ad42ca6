import type { TopUpOrder } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Method, OrderState, Price, TradeNumber } from '../../../components/payment-orders/cells.tsx'
import type { TableProps } from '../../../ui/kit/index.ts'
import { Money } from '../../../components/money.tsx'
import { Time } from '../../../ui/page/time.tsx'

type Columns = NonNullable<TableProps<TopUpOrder>['columns']>

export function useOrderColumns(): Columns {
  const { t } = useTranslation('wallet')
  return useMemo(
    (): Columns => [
      {
        key: 'time',
        title: t('orders.columns.time'),
        render: (_, { created_at }) => <Time unixSeconds={created_at} exact />,
      },
      {
        key: 'tradeNo',
        title: t('orders.columns.tradeNo'),
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
      {
        key: 'status',
        title: t('orders.columns.status'),
        render: (_, order) => <OrderState order={order} />,
      },
    ],
    [t],
  )
}
