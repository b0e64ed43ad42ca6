import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import { UNLIMITED_USES, type Redemption } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatBalance, formatCount, formatExactTime, moneyRules } from '../../../lib/format.ts'
import { RowButton } from '../../../ui/row-button.tsx'
import { StatusTag, type Tone } from '../../../ui/status-tag.tsx'
import { Time } from '../../../ui/time.tsx'
import { stateOf, type CouponState } from '../coupon-state.ts'
import { maskKey, titleOf } from '../coupon-words.ts'
import styles from '../coupons.module.css'

/** Facts of a code that read the same in a table and on a card. */

const TONES: Record<CouponState, Tone> = {
  unused: 'good',
  open: 'good',
  notYet: 'info',
  expired: 'warn',
  usedUp: 'neutral',
  disabled: 'bad',
  used: 'neutral',
  unknown: 'neutral',
}

export function CouponStatus({ coupon }: { coupon: Redemption }) {
  const { t } = useTranslation('coupons')
  const state = stateOf(coupon)
  return (
    <span className={styles.tags}>
      <StatusTag tone={TONES[state]}>{t(`status.${state}`)}</StatusTag>
      {coupon.is_gift && (
        <StatusTag tone="info" plain>
          {t('gift')}
        </StatusTag>
      )}
    </span>
  )
}

/** Hidden until asked for: a code is money. */
export function CouponKey({ coupon }: { coupon: Redemption }) {
  const { t } = useTranslation('coupons')
  const [shown, setShown] = useState(false)
  const name = titleOf(coupon)
  return (
    <span className={styles.key}>
      <code className={`mono ${styles.keyText}`}>{shown ? coupon.key : maskKey(coupon.key)}</code>
      <RowButton
        label={t(shown ? 'actionOn.hide' : 'actionOn.show', { name })}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      >
        {shown ? <EyeInvisibleOutlined aria-hidden /> : <EyeOutlined aria-hidden />}
      </RowButton>
    </span>
  )
}

/** Money as people think of it, with the quota that operators think in. */
export function CouponQuota({ quota }: { quota: number }) {
  const { t } = useTranslation()
  if (!moneyRules().inCurrency)
    return <span className="number">{t('quotaExactly', { quota: formatCount(quota) })}</span>
  return (
    <span className="number">
      {formatBalance(quota)} <span className="secondary">({formatCount(quota)})</span>
    </span>
  )
}

/** How many people used it where many may, who it was, and when. */
export function CouponUse({ coupon }: { coupon: Redemption }) {
  const { t } = useTranslation('coupons')
  const { is_gift: isGift, used_user_id: user, redeemed_time: time } = coupon
  if (!isGift && user === 0 && time === 0) return <span className="secondary">–</span>
  return (
    <span className={styles.lines}>
      {isGift && <span className="number">{usesOf(coupon)}</span>}
      {user !== 0 && <Link to={`/admin/users?keyword=${user}`}>{t('use.user', { id: user })}</Link>}
      {time !== 0 && (
        <span className="secondary">
          <Time unixSeconds={time} exact />
        </span>
      )}
    </span>
  )

  function usesOf({ used_count: used, max_uses: most }: Redemption): string {
    return most === UNLIMITED_USES
      ? t('use.unlimited', { used: formatCount(used) })
      : t('use.limited', { used: formatCount(used), most: formatCount(most) })
  }
}

export function CouponWindow({ coupon }: { coupon: Pick<Redemption, 'valid_from' | 'valid_until'> }) {
  const { t } = useTranslation('coupons')
  const { valid_from: from, valid_until: until } = coupon
  if (from === 0 && until === 0) return <span className="secondary">{t('window.always')}</span>
  return (
    <span className={`${styles.lines} ${styles.window} number`}>
      {from !== 0 && <span>{t('window.from', { time: formatExactTime(from) })}</span>}
      {until !== 0 && <span>{t('window.until', { time: formatExactTime(until) })}</span>}
    </span>
  )
}
