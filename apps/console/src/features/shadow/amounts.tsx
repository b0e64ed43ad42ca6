import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/format.ts'
import { Tooltip } from '../../ui/kit/index.ts'
import { Money } from '../../components/money.tsx'
import { type ChargeKind, differenceOf, formatDifference, formatShareChange } from './difference.ts'
import styles from './shadow.module.css'

/** Amounts that read the same wherever they stand. */

export function Nothing() {
  return <span className="secondary">–</span>
}

export function Charge({ quota, kind = 'call' }: { quota: number | null; kind?: ChargeKind }) {
  return quota === null ? <Nothing /> : <Money quota={quota} kind={kind} />
}

interface Props {
  old: number | null
  ours: number | null
  kind?: ChargeKind
  /** The share beneath the amount, where there are many columns. */
  stacked?: boolean
}

/** Neither green nor red: whether charging more is good is not ours to say. The sign tells more from less. */
export function ChargeDifference({ old, ours, kind = 'call', stacked = false }: Props) {
  const { t } = useTranslation()
  const difference = differenceOf(old, ours)
  if (difference === null) return <Nothing />
  const { quota, share } = difference
  return (
    <Tooltip title={t('quotaExactly', { quota: formatCount(quota) })}>
      <span className={`number ${styles.difference}`} data-stacked={stacked || undefined}>
        <span>{formatDifference(quota, kind)}</span>
        {share !== null && quota !== 0 && <span className={styles.differenceShare}>{formatShareChange(share)}</span>}
      </span>
    </Tooltip>
  )
}
