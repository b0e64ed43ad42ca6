import type { StatementLine } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatCount } from '../../lib/format.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { Tooltip } from '../../ui/kit/index.ts'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { RowCard } from '../../ui/table/row-card.tsx'
import { Money } from '../money.tsx'
import { hasReference, knownKind, orderNumber, referenceName, signedAmount } from './entry-text.ts'
import type { StatementEntry } from './statement-query.ts'
import styles from './statement.module.css'

/** The API names the administrator who acted to administrators only. */
export function useStatementColumns(forAdmin: boolean): Column<StatementEntry>[] {
  const { t } = useTranslation('wallet')
  return useMemo(() => {
    const columns: Column<StatementEntry>[] = [
      {
        key: 'time',
        title: t('statement.columns.time'),
        render: (_, { created_at }) => <Time unixSeconds={created_at} exact />,
      },
      { key: 'kind', title: t('statement.columns.kind'), render: (_, { kind }) => <KindName kind={kind} /> },
      {
        key: 'amount',
        title: t('statement.columns.amount'),
        align: 'right',
        render: (_, { amount }) => <Amount quota={amount} />,
      },
      {
        key: 'balance',
        title: t('statement.columns.balance'),
        align: 'right',
        render: (_, { balance }) => <Money quota={balance} />,
      },
      {
        key: 'reference',
        title: t('statement.columns.reference'),
        render: (_, entry) => <Reference entry={entry} linked={forAdmin} />,
      },
    ]
    if (!forAdmin) return columns
    return [
      ...columns,
      { key: 'actor', title: t('statement.columns.actor'), render: (_, entry) => <ActorName entry={entry} /> },
    ]
  }, [t, forAdmin])
}

export function EntryCard({ entry, forAdmin }: { entry: StatementLine; forAdmin: boolean }) {
  const { t } = useTranslation('wallet')
  return (
    <RowCard
      title={<KindName kind={entry.kind} />}
      aside={<Amount quota={entry.amount} />}
      line={<Time unixSeconds={entry.created_at} />}
      details={
        <Facts
          facts={[
            { term: t('statement.columns.time'), value: <Time unixSeconds={entry.created_at} exact /> },
            { term: t('statement.columns.balance'), value: <Money quota={entry.balance} /> },
            ...(hasReference(entry)
              ? [{ term: t('statement.columns.reference'), value: <Reference entry={entry} linked={forAdmin} /> }]
              : []),
            ...(entry.actor_id === 0
              ? []
              : [{ term: t('statement.columns.actor'), value: <ActorName entry={entry} /> }]),
          ]}
        />
      }
    />
  )
}

function KindName({ kind }: Pick<StatementLine, 'kind'>) {
  const { t } = useTranslation('wallet')
  const known = knownKind(kind)
  return known ? t(`kinds.${known}`) : kind
}

function Amount({ quota }: { quota: number }) {
  const { t } = useTranslation()
  return (
    <Tooltip title={t('quotaExactly', { quota: formatCount(quota) })}>
      <span className={`number ${styles.amount}`} data-adds={quota > 0 || undefined}>
        {signedAmount(quota)}
      </span>
    </Tooltip>
  )
}

/** The cause of the entry, such as an order number; for usage, the number of requests. */
function Reference({ entry, linked }: { entry: StatementLine; linked: boolean }) {
  const { t } = useTranslation('wallet')
  if (!hasReference(entry)) return <span className="secondary">—</span>
  if (entry.requests > 0) return t('statement.calls', { calls: formatCount(entry.requests) })
  const name = referenceName(entry)
  return (
    <span className={styles.reference}>
      {linked && orderNumber(entry) ? (
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

/** The administrator who acted, if there was one. */
function ActorName({ entry: { actor, actor_id: id } }: { entry: StatementLine }) {
  if (id === 0) return <span className="secondary">—</span>
  return (
    <span className={styles.actor}>
      {actor && <span>{actor}</span>}
      <span className="secondary number">#{id}</span>
    </span>
  )
}
