import type { Redemption } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableProps } from '../../../ui/kit/index.ts'
import { Time } from '../../../ui/time.tsx'
import styles from '../coupons.module.css'
import { CouponKey, CouponQuota, CouponStatus, CouponUse, CouponWindow } from './cells.tsx'
import { CouponActionButtons } from './row-actions.tsx'

type Columns = NonNullable<TableProps<Redemption>['columns']>

export function useCouponColumns(): Columns {
  const { t } = useTranslation('coupons')
  return useMemo(() => {
    const columns: Columns = [
      {
        key: 'id',
        title: t('columns.id'),
        align: 'right',
        fixed: 'left',
        render: (_, { id }) => <span className="number">{id}</span>,
      },
      {
        key: 'name',
        title: t('columns.name'),
        fixed: 'left',
        render: (_, { name }) => (
          <span className={styles.name} title={name}>
            {name}
          </span>
        ),
      },
      { key: 'status', title: t('columns.status'), render: (_, coupon) => <CouponStatus coupon={coupon} /> },
      { key: 'key', title: t('columns.key'), render: (_, coupon) => <CouponKey coupon={coupon} /> },
      {
        key: 'quota',
        title: t('columns.quota'),
        align: 'right',
        render: (_, { quota }) => <CouponQuota quota={quota} />,
      },
      { key: 'window', title: t('columns.window'), render: (_, coupon) => <CouponWindow coupon={coupon} /> },
      { key: 'use', title: t('columns.use'), render: (_, coupon) => <CouponUse coupon={coupon} /> },
      {
        key: 'created',
        title: t('columns.created'),
        render: (_, coupon) => <Time unixSeconds={coupon.created_time} exact />,
      },
      {
        key: 'actions',
        title: <span className="visually-hidden">{t('columns.actions')}</span>,
        align: 'right',
        fixed: 'right',
        render: (_, coupon) => <CouponActionButtons coupon={coupon} />,
      },
    ]
    return columns.map((column) => ({ ...ONLY_WHEN_CHANGED, ...column }))
  }, [t])
}

/** A row that is the same looks the same, whatever else of the page changed. */
const ONLY_WHEN_CHANGED = { shouldCellUpdate: (row: Redemption, before: Redemption) => row !== before }
