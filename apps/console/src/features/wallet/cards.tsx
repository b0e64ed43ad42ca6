import type { User } from '@tidegate/contract/api'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Money } from '../../components/money.tsx'
import { daysLeft } from '../../lib/time-range.ts'
import { MONTH_DAYS } from './api.ts'
import styles from './wallet.module.css'

interface BalanceProps {
  user: User
  /** Spending of the last 30 days; undefined if it could not be loaded. */
  month: number | undefined
}

/** Current balance, how long it lasts, and spending. */
export function BalanceCard({ user, month }: BalanceProps) {
  const { t } = useTranslation('wallet')
  const days = month === undefined ? null : daysLeft(user.quota, month, MONTH_DAYS)
  return (
    <section className={styles.card} aria-label={t('balance.label')}>
      <dl className={styles.numbers}>
        <div className={styles.balance}>
          <dt>{t('balance.balance')}</dt>
          <dd>
            <Money quota={user.quota} />
          </dd>
        </div>
        <div>
          <dt>{t('balance.month')}</dt>
          <dd>{month === undefined ? '–' : <Money quota={month} />}</dd>
        </div>
        <div>
          <dt>{t('balance.used')}</dt>
          <dd>
            <Money quota={user.used_quota} />
          </dd>
        </div>
      </dl>
      {days !== null && <p className={styles.daysLeft}>{t('balance.daysLeft', { count: days })}</p>}
    </section>
  )
}

interface CardProps {
  title: string
  hint?: string
  children: ReactNode
}

/** A section of the wallet with a heading. */
export function Card({ title, hint, children }: CardProps) {
  const id = useId()
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint && <p className={styles.hint}>{hint}</p>}
      {children}
    </section>
  )
}
