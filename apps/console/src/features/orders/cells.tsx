import type { TopUpOrder } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatBalance, formatCount, moneyRules } from '../../lib/format.ts'
import { Method } from '../../lib/orders/cells.tsx'
import { Time } from '../../ui/time.tsx'
import { PROVIDERS } from './order-filters.ts'
import styles from './orders.module.css'

/** Facts of an order that read the same in the table, on a card and in the drawer. */

export function Customer({ order: { user_id: id, username } }: { order: TopUpOrder }) {
  return (
    <span className={styles.customer}>
      <Link to={`/admin/users?keyword=${id}`}>{username}</Link>
      <span className="secondary number">#{id}</span>
    </span>
  )
}

export function useProviderName(): (provider: string) => string {
  const { t } = useTranslation('orders')
  return (provider) => {
    const known = PROVIDERS.find((name) => name === provider)
    return known ? t(`providers.${known}`) : provider
  }
}

/** How it is paid, and through whom. */
export function ProviderAndMethod({ order }: { order: TopUpOrder }) {
  const providerName = useProviderName()
  return (
    <span className={styles.facets}>
      <Method name={order.payment_method} />
      <span className="secondary">{providerName(order.provider)}</span>
    </span>
  )
}

/** What the order adds to a balance: money as people think of it, with the points that are booked. */
export function Credit({ quota }: { quota: number }) {
  const { t } = useTranslation()
  const points = formatCount(quota)
  if (!moneyRules().inCurrency) return <span className="number">{t('quotaExactly', { quota: points })}</span>
  return (
    <span className="number">
      {formatBalance(quota)} <span className="secondary">({points})</span>
    </span>
  )
}

/** A credited order no longer expires, whatever became of it later. */
export function endingOf({ status, completed_at: completed, expires_at: expires }: TopUpOrder) {
  if (completed > 0) return { at: completed, name: 'success' as const }
  if (status === 'pending' || status === 'expired') return { at: expires, name: status }
  return { at: 0, name: 'expired' as const }
}

/** When the order was credited, or until when it waits or waited. */
export function Ending({ order }: { order: TopUpOrder }) {
  const { t } = useTranslation('orders')
  const { at, name } = endingOf(order)
  if (at === 0) return <span className="secondary">–</span>
  return (
    <span className={styles.facets}>
      <Time unixSeconds={at} />
      <span className="secondary">{t(`endingShort.${name}`)}</span>
    </span>
  )
}
