import { useTranslation } from 'react-i18next'
import { formatBalance, formatCount } from '../../../lib/format.ts'
import { Form } from '../../../ui/kit/index.ts'
import styles from '../coupons.module.css'
import type { NewCouponValues } from './coupon-values.ts'
import { worthOf } from './worth.ts'

/** Says, before anything is made, how much it can cost. */
export function WorthLine() {
  const { t } = useTranslation('coupons')
  const values = Form.useWatch((all: NewCouponValues) => all) as NewCouponValues | undefined
  const worth = worthOf(values ?? {})
  if (worth === undefined) return null
  return (
    <output className={styles.worth} data-warns={worth === null || undefined}>
      {worth === null
        ? t('form.worthUnlimited')
        : t('form.worth', { money: formatBalance(worth), quota: formatCount(worth) })}
    </output>
  )
}
