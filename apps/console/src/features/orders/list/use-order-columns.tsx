import type { TopUpOrder } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { OrderState, Price, TradeNumber } from '../../../lib/orders/cells.tsx'
import type { TableProps } from '../../../ui/kit/index.ts'
import { RowButton } from '../../../ui/row-button.tsx'
import { Time } from '../../../ui/time.tsx'
import { Credit, Customer, Ending, ProviderAndMethod } from '../cells.tsx'

type Columns = NonNullable<TableProps<TopUpOrder>['columns']>

export function useOrderColumns(onOpen: (id: number) => void): Columns {
  const { t } = useTranslation('orders')
  return useMemo(
    (): Columns => [
      { key: 'user', title: t('columns.user'), render: (_, order) => <Customer order={order} /> },
      {
        key: 'tradeNo',
        title: t('columns.tradeNo'),
        render: (_, { trade_no }) => <TradeNumber number={trade_no} />,
      },
      { key: 'method', title: t('columns.method'), render: (_, order) => <ProviderAndMethod order={order} /> },
      {
        key: 'credit',
        title: t('columns.credit'),
        align: 'right',
        render: (_, { quota }) => <Credit quota={quota} />,
      },
      { key: 'price', title: t('columns.price'), align: 'right', render: (_, order) => <Price {...order} /> },
      { key: 'status', title: t('columns.status'), render: (_, order) => <OrderState order={order} /> },
      { key: 'placed', title: t('columns.placed'), render: (_, order) => <Time unixSeconds={order.created_at} /> },
      { key: 'ending', title: t('columns.ending'), render: (_, order) => <Ending order={order} /> },
      {
        key: 'actions',
        title: <span className="visually-hidden">{t('columns.actions')}</span>,
        align: 'right',
        fixed: 'right',
        render: (_, { id, trade_no: number }) => (
          <RowButton label={t('openOf', { number })} onClick={() => onOpen(id)}>
            {t('open')}
          </RowButton>
        ),
      },
    ],
    [t, onOpen],
  )
}
