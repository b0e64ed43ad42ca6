import type { StatementLine } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Tooltip } from '../../ui/kit/index.ts'
import { formatCount } from '../../lib/format.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { hasReference, knownKind, orderNumber, referenceName, signedAmount } from './line-words.ts'
import styles from './statement.module.css'

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
        className={`number ${styles.amount}`}
        data-adds={quota > 0 || undefined}
        data-takes={quota < 0 || undefined}
      >
        {signedAmount(quota)}
      </span>
    </Tooltip>
  )
}

/** The name of the cause, which can lead to it; for use, how many calls the line sums up. */
export function Reference({ line, linked }: { line: StatementLine; linked: boolean }) {
  const { t } = useTranslation('wallet')
  if (!hasReference(line)) return <span className="secondary">—</span>
  if (line.requests > 0) return t('statement.calls', { calls: formatCount(line.requests) })
  const name = referenceName(line)
  return (
    <span className={styles.reference}>
      {linked && orderNumber(line) ? (
        <Link className="mono" to={`/admin/orders?trade_no=${encodeURIComponent(name)}`}>
          {name}
        </Link>
      ) : (
        <span className="mono">{name}</span>
      )}
      <CopyButton text={name} label={t('copyOf', { name })} />
    </span>
  )
}

/** The administrator who acted; nothing where it was the user, or nobody. */
export function ActorName({ line: { actor, actor_id: id } }: { line: StatementLine }) {
  if (id === 0) return <span className="secondary">—</span>
  return (
    <span className={styles.actor}>
      {actor && <span>{actor}</span>}
      <span className="secondary number">#{id}</span>
    </span>
  )
}
