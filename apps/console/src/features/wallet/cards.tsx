import type { User } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Money } from '../../components/money.tsx'
import { daysLeft } from '../../lib/time-range.ts'
import { MONTH_DAYS, monthQuery } from './api.ts'
import styles from './wallet.module.css'

/** Current balance, how long it lasts, and spending. */
export function BalanceCard({ user }: { user: User }) {
  const { t } = useTranslation('wallet')
  const { data: month } = useQuery(monthQuery)
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
      <p className={styles.daysLeft}>{days !== null && t('balance.daysLeft', { count: days })}</p>
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
