import { useTranslation } from 'react-i18next'
import { MONTH_DAYS } from '../api/month-spending.ts'
import { daysLeft } from '../lib/time-range.ts'
import { Tooltip } from '../ui/kit/index.ts'

interface Props {
  balance: number
  /** Spending of the last 30 days; undefined if it is not known. */
  month: number | undefined
}

/** How long a balance lasts at the spending of the last 30 days. Blank without spending, or if it lasts over a year. */
export function DaysLeft({ balance, month }: Props) {
  const { t } = useTranslation('wallet')
  if (!month) return null
  if (balance <= 0) return t('balance.usedUp')
  const days = daysLeft(balance, month, MONTH_DAYS)
  if (days === null) return null
  return (
    <Tooltip title={t('balance.month')}>
      <span>{days === 0 ? t('balance.lastDay') : t('balance.daysLeft', { count: days })}</span>
    </Tooltip>
  )
}
