import { useTranslation } from 'react-i18next'
import { formatBalance, formatCallPrice, formatColumnPrice, formatCount, formatSpending } from '../lib/format.ts'
import { Tooltip } from '../ui/kit/index.ts'

interface Props {
  quota: number
  /** Number of decimals: two for a balance, four for a column of prices, as needed for one price or a sum. */
  kind?: keyof typeof FORMATTERS
}

/** An amount, with the exact quota on hover. */
export function Money({ quota, kind = 'balance' }: Props) {
  const { t } = useTranslation()
  return (
    <Tooltip title={t('quotaExactly', { quota: formatCount(quota) })}>
      <span className="number">{FORMATTERS[kind](quota)}</span>
    </Tooltip>
  )
}

const FORMATTERS = {
  balance: (quota: number) => formatBalance(quota),
  call: (quota: number) => formatCallPrice(quota),
  sum: (quota: number) => formatSpending(quota),
  column: (quota: number) => formatColumnPrice(quota),
}
