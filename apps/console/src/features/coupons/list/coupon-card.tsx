import type { Redemption } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Facts } from '../../../ui/facts.tsx'
import { RowCard } from '../../../ui/row-card.tsx'
import { Time } from '../../../ui/time.tsx'
import styles from '../coupons.module.css'
import { CouponKey, CouponQuota, CouponStatus, CouponUse, CouponWindow } from './cells.tsx'
import { CouponActionButtons } from './row-actions.tsx'

export function CouponCard({ coupon }: { coupon: Redemption }) {
  const { t } = useTranslation('coupons')
  return (
    <RowCard
      title={
        <span className={styles.cardTitle}>
          {coupon.name} <span className="secondary number">#{coupon.id}</span>
        </span>
      }
      aside={<CouponStatus coupon={coupon} />}
      actions={<CouponActionButtons coupon={coupon} />}
    >
      <Facts
        facts={[
          { term: t('columns.quota'), value: <CouponQuota quota={coupon.quota} /> },
          { term: t('columns.key'), value: <CouponKey coupon={coupon} /> },
          { term: t('columns.use'), value: <CouponUse coupon={coupon} /> },
          { term: t('columns.window'), value: <CouponWindow coupon={coupon} /> },
          { term: t('columns.created'), value: <Time unixSeconds={coupon.created_time} exact /> },
        ]}
      />
    </RowCard>
  )
}
