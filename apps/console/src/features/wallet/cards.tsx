import type { User } from '@tidegate/contract/api'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DaysLeft } from '../../components/days-left.tsx'
import { Money } from '../../components/money.tsx'
import styles from './wallet.module.css'

interface BalanceProps {
  user: User
  /** Spending of the last 30 days; undefined if it could not be loaded. */
  month: number | undefined
}

/** Current balance, how long it lasts, and spending. */
export function BalanceCard({ user, month }: BalanceProps) {
  const { t } = useTranslation('wallet')
  return (
    <section className={styles.card} aria-label={t('balance.label')}>
      <dl className={styles.numbers}>
        <div className={styles.balance}>
          <dt>{t('balance.balance')}</dt>
          <dd>
            <Money quota={user.quota} />
          </dd>
          <dd className={styles.daysLeft}>
            <DaysLeft balance={user.quota} month={month} />
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
