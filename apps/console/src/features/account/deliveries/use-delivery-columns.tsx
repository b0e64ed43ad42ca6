import type { Delivery } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import type { TableProps } from '../../../ui/kit/index.ts'
import styles from '../account.module.css'
import { IsoTime, Response } from './delivery-facts.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { RetryButton } from './retry-button.tsx'
import { useTypeName } from './use-type-name.ts'

type Columns = NonNullable<TableProps<Delivery>['columns']>

export function useDeliveryColumns(): Columns {
  const { t } = useTranslation('me')
  return useMemo(
    (): Columns => [
      {
        key: 'time',
        title: t('deliveries.columns.time'),
        render: (_, { created_at }) => <IsoTime time={created_at} />,
      },
      { key: 'kind', title: t('deliveries.columns.kind'), render: (_, { kind }) => t(`notices.types.${kind}`) },
      { key: 'type', title: t('deliveries.columns.type'), render: (_, { type }) => <TypeName type={type} /> },
      {
        key: 'target',
        title: t('deliveries.columns.target'),
        render: (_, { target }) => <span className={`mono ${styles.short}`}>{target}</span>,
      },
      {
        key: 'status',
        title: t('deliveries.columns.status'),
        render: (_, { status }) => <DeliveryStatus status={status} />,
      },
      {
        key: 'attempts',
        title: t('deliveries.columns.attempts'),
        align: 'right',
        render: (_, { attempts }) => <span className="number">{formatCount(attempts)}</span>,
      },
      {
        key: 'response',
        title: t('deliveries.columns.response'),
        render: (_, delivery) => (
          <span className={styles.short}>
            <Response delivery={delivery} />
          </span>
        ),
      },
      {
        key: 'actions',
        title: <span className="visually-hidden">{t('deliveries.columns.actions')}</span>,
        align: 'right',
        render: (_, delivery) => <RetryButton delivery={delivery} />,
      },
    ],
    [t],
  )
}

function TypeName({ type }: { type: string }) {
  return useTypeName()(type)
}
