import { PAYMENT_METHODS, type PaymentMethod, type TopUpOrder } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { StatusTag, type RowTone } from '../../ui/feedback/status-tag.tsx'
import { formatBalance } from '../../lib/format.ts'
import { formatPrice } from './format-price.ts'
import styles from './orders.module.css'

/** Cells of an order for its owner and for administrators. */

const TONES: Record<TopUpOrder['status'], RowTone> = {
  pending: 'info',
  success: 'usual',
  expired: 'neutral',
  failed: 'bad',
  partly_refunded: 'warn',
  refunded: 'warn',
  disputed: 'bad',
}

export function OrderStatus({ status }: Pick<TopUpOrder, 'status'>) {
  const { t } = useTranslation('wallet')
  return <StatusTag tone={TONES[status]}>{t(`orders.status.${status}`)}</StatusTag>
}

/** The status, and for a reversed order the money that was reversed and the credit that is still owed. */
export function OrderState({ order }: { order: TopUpOrder }) {
  const { t, i18n } = useTranslation('wallet')
  const { status, reversed_money: money, owed_quota: owed, currency } = order
  return (
    <span className={styles.state}>
      <OrderStatus status={status} />
      {Number(money) > 0 && (
        <span className="secondary">
          {t('orders.reversed', { money: formatPrice(money, currency, i18n.resolvedLanguage) })}
        </span>
      )}
      {owed > 0 && <span className={styles.owed}>{t('orders.owed', { amount: formatBalance(owed) })}</span>}
    </span>
  )
}

export function TradeNumber({ number }: { number: string }) {
  const { t } = useTranslation('wallet')
  return (
    <span className={styles.number}>
      <span className="mono">{number}</span>
      <CopyButton text={number} label={t('copyOf', { name: number })} />
    </span>
  )
}

/** Names in imported orders. */
const OTHER_NAMES: ReadonlyMap<string, PaymentMethod> = new Map([
  ['alipay', 'zfb'],
  ['wxpay', 'wx'],
  ['wechat', 'wx'],
])

export function Method({ name }: { name: string }) {
  const { t } = useTranslation('wallet')
  const known = PAYMENT_METHODS.find((method) => method === name) ?? OTHER_NAMES.get(name)
  return known ? t(`methods.${known}`) : name
}

export function Price({ money, currency }: Pick<TopUpOrder, 'money' | 'currency'>) {
  const { i18n } = useTranslation()
  return <span className="number">{formatPrice(money, currency, i18n.resolvedLanguage)}</span>
}
