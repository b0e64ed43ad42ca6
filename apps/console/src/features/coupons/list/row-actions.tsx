import { REDEMPTION_STATUS, type Redemption } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { RowButton } from '../../../ui/row-button.tsx'
import { useBusy } from '../../../ui/use-busy.ts'
import { titleOf } from '../coupon-words.ts'
import styles from '../coupons.module.css'
import { useActions } from './coupon-actions.ts'

export function CouponActionButtons({ coupon }: { coupon: Redemption }) {
  const { t } = useTranslation('coupons')
  const actions = useActions()
  const { busy, run } = useBusy<'enable' | 'disable'>()
  const name = titleOf(coupon)
  const isUnused = coupon.status === REDEMPTION_STATUS.unused
  const turn = isUnused ? 'disable' : 'enable'
  return (
    <span className={styles.actions}>
      <RowButton label={t('actionOn.copy', { name })} onClick={() => void actions.copy(coupon)}>
        {t('actions.copy')}
      </RowButton>
      {isUnused && (
        <RowButton main label={t('actionOn.edit', { name })} onClick={() => actions.edit(coupon.id)}>
          {t('actions.edit')}
        </RowButton>
      )}
      <RowButton
        busy={busy === turn}
        disabled={coupon.status === REDEMPTION_STATUS.used}
        label={t(`actionOn.${turn}`, { name })}
        onClick={() => run(turn, () => actions[turn](coupon))}
      >
        {t(`actions.${turn}`)}
      </RowButton>
      <RowButton label={t('actionOn.delete', { name })} onClick={() => actions.remove(coupon)}>
        {t('actions.delete')}
      </RowButton>
    </span>
  )
}
