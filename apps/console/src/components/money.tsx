import { useTranslation } from 'react-i18next'
import { formatBalance, formatCallPrice, formatColumnPrice, formatCount, formatSpending } from '../lib/format.ts'
import { Tooltip } from '../ui/kit/index.ts'

interface Props {
  quota: number
  /** Two decimals for a balance, as many as needed for one price or a sum. */
  kind?: keyof typeof FORMATTERS
  /** The decimals of all prices of a column. */
  decimals?: number | undefined
}

/** An amount, with the exact quota on hover. */
export function Money({ quota, kind = 'balance', decimals }: Props) {
  const { t } = useTranslation()
  return (
    <Tooltip title={t('quotaExactly', { quota: formatCount(quota) })}>
      <span className="number">
        {decimals === undefined ? FORMATTERS[kind](quota) : formatColumnPrice(quota, decimals)}
      </span>
    </Tooltip>
  )
}

const FORMATTERS = {
  balance: (quota: number) => formatBalance(quota),
  call: (quota: number) => formatCallPrice(quota),
  sum: (quota: number) => formatSpending(quota),
}
