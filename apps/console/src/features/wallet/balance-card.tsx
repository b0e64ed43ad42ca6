import type { User } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '../../ui/kit/index.ts'
import { Money } from '../../components/money.tsx'
import styles from './wallet.module.css'

/** What the account holds and has spent. */
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
