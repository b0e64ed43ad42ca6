import type { ApiToken } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatRelativeTime } from '../../../lib/format.ts'
import { Money } from '../../../ui/money.tsx'
import styles from '../tokens.module.css'

/** What a token may still spend: without limit, of all it was given, or of what it gets each day, week or month. */
export function TokenQuota({ token }: { token: ApiToken }) {
  const { t, i18n } = useTranslation('tokens')
  const { unlimited_quota: isUnlimited, remain_quota: left, budget_period: period } = token
  if (isUnlimited) return <span className="secondary">{t('unlimited')}</span>
  const total = period === '' ? left + token.used_quota : token.budget_quota
  return (
    <span className={styles.quota}>
      <span>
        <Money quota={left} />
        <span className="secondary">
          {' / '}
          <Money quota={total} />
          {period !== '' && ` ${t(`budget.${period}`)}`}
        </span>
      </span>
      <LeftBar share={total > 0 ? left / total : 0} />
      {period !== '' && (
        <span className={`secondary ${styles.small}`}>
          {t('budget.resets', { when: formatRelativeTime(token.budget_resets_at, i18n.resolvedLanguage ?? 'en') })}
        </span>
      )}
    </span>
  )
}

const FEW = 0.1
const SOME = 0.3

/** For the eye only: the amounts beside it say the same. */
function LeftBar({ share }: { share: number }) {
  const width = `${Math.min(1, Math.max(0, share)) * 100}%`
  const level = share <= FEW ? 'few' : share <= SOME ? 'some' : 'many'
  return (
    <span className={styles.bar} aria-hidden>
      <span className={styles.left} data-level={level} style={{ width }} />
    </span>
  )
}
