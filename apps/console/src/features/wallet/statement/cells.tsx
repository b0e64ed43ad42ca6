import type { StatementLine } from '@tidegate/contract/api'
import { Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import styles from '../wallet.module.css'
import { hasReference, knownKind, referenceName, signedAmount } from './line-words.ts'

export function KindName({ kind }: Pick<StatementLine, 'kind'>) {
  const { t } = useTranslation('wallet')
  const known = knownKind(kind)
  return known ? t(`kinds.${known}`) : kind
}

export function Amount({ quota }: { quota: number }) {
  const { t } = useTranslation()
  return (
    <Tooltip title={t('quotaExactly', { quota: formatCount(quota) })}>
      <span
        className={`number ${styles.amountText}`}
        data-adds={quota > 0 || undefined}
        data-takes={quota < 0 || undefined}
      >
        {signedAmount(quota)}
      </span>
    </Tooltip>
  )
}

/** The name of the cause; for use, how many calls the line sums up. */
export function Reference({ line }: { line: StatementLine }) {
  const { t } = useTranslation('wallet')
  if (!hasReference(line)) return <span className="secondary">—</span>
  if (line.requests > 0) return t('statement.calls', { calls: formatCount(line.requests) })
  const name = referenceName(line)
  return (
    <span className={styles.name}>
      <span className="mono">{name}</span>
      <CopyButton text={name} label={t('copyOf', { name })} />
    </span>
  )
}
