import { Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatBalance, formatCallPrice, formatCount } from '../lib/format.ts'

interface Props {
  quota: number
  /** A balance has two decimals; a single call as many as carry information. */
  kind?: 'balance' | 'call'
}

/** An amount, with the exact quota on hover. */
export function Money({ quota, kind = 'balance' }: Props) {
  const { t } = useTranslation()
  const written = kind === 'balance' ? formatBalance(quota) : formatCallPrice(quota)
  return (
    <Tooltip title={t('quotaExactly', { quota: formatCount(quota) })}>
      <span className="number">{written}</span>
    </Tooltip>
  )
}
