import type { User } from '@tidegate/contract/api'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Money } from '../../components/money.tsx'
import { Skeleton } from '../../ui/kit/index.ts'
import styles from './wallet.module.css'

/** Current balance and total spending. */
export function BalanceCard({ user }: { user: User | undefined }) {
  const { t } = useTranslation('wallet')
  return (
    <section className={styles.card} aria-label={t('balance.label')}>
      {user ? (
        <dl className={styles.numbers}>
          <div>
            <dt>{t('balance.balance')}</dt>
            <dd>
              <Money quota={user.quota} />
            </dd>
          </div>
          <div>
            <dt>{t('balance.used')}</dt>
            <dd>
              <Money quota={user.used_quota} />
            </dd>
          </div>
        </dl>
      ) : (
        <Skeleton active title={false} paragraph={{ rows: 2 }} />
      )}
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
