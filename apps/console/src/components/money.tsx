import { useTranslation } from 'react-i18next'
import { formatBalance, formatCallPrice, formatColumnPrice, formatCount, formatSpending } from '../lib/format.ts'
import { Tooltip } from '../ui/kit/index.ts'

interface Props {
  quota: number
  /** Decimals: two in a balance, as many as needed in a single price or a sum, four in a column of prices. */
  kind?: keyof typeof WRITTEN
}

/** An amount, with the exact quota on hover. */
export function Money({ quota, kind = 'balance' }: Props) {
  const { t } = useTranslation()
  return (
    <Tooltip title={t('quotaExactly', { quota: formatCount(quota) })}>
      <span className="number">{WRITTEN[kind](quota)}</span>
    </Tooltip>
  )
}

const WRITTEN = {
  balance: (quota: number) => formatBalance(quota),
  call: (quota: number) => formatCallPrice(quota),
  sum: (quota: number) => formatSpending(quota),
  column: (quota: number) => formatColumnPrice(quota),
}
