import type { StatementLine } from '@tidegate/contract/api'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatCount, formatExactTime, formatRelativeTime, formatShortDate, pluralForm } from '../../lib/format.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { Tooltip } from '../../ui/kit/index.ts'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { RowCard } from '../../ui/table/row-card.tsx'
import { formatEntryAmount, knownKind, orderNumber, referenceName, signedAmount, usageLogPath } from './entry-text.ts'
import { dayOf, type StatementEntry } from './statement-query.ts'
import styles from './statement.module.css'

/** What all entries of a page share. */
export interface EntryContext {
  forAdmin: boolean
  /** Of the account. Blank if it is not known yet. */
  username: string
  decimals: number
}

/** The API names the administrator who acted to administrators only. */
export function useStatementColumns({ forAdmin, username, decimals }: EntryContext): Column<StatementEntry>[] {
  const { t } = useTranslation('wallet')
  return useMemo(() => {
    const columns: Column<StatementEntry>[] = [
      { key: 'time', title: t('statement.columns.time'), render: (_, entry) => <EntryDate entry={entry} /> },
      {
        key: 'description',
        title: t('statement.columns.description'),
        className: styles.wide!,
        render: (_, entry) => (
          <span className={styles.description}>
            <KindName kind={entry.kind} />
            <Cause entry={entry} forAdmin={forAdmin} username={username} />
          </span>
        ),
      },
      {
        key: 'amount',
        title: t('statement.columns.amount'),
        align: 'right',
        render: (_, { amount }) => <Amount quota={amount} decimals={decimals} />,
      },
      {
        key: 'balance',
        title: t('statement.columns.balance'),
        align: 'right',
        className: styles.last!,
        render: (_, { balance }) => <Balance quota={balance} decimals={decimals} />,
      },
    ]
    if (!forAdmin) return columns
    return [
      ...columns,
      {
        key: 'actor',
        title: t('statement.columns.actor'),
        className: styles.last!,
        render: (_, entry) => <ActorName entry={entry} />,
      },
    ]
  }, [t, forAdmin, username, decimals])
}

export function EntryCard({ entry, context }: { entry: StatementEntry; context: EntryContext }) {
  const { t } = useTranslation('wallet')
  const { forAdmin, username, decimals } = context
  return (
    <RowCard
      title={<KindName kind={entry.kind} />}
      aside={<Amount quota={entry.amount} decimals={decimals} />}
      note={<CardTime entry={entry} />}
      details={
        <Facts
          facts={[
            { term: t('statement.columns.time'), value: <CardTime entry={entry} exact /> },
            { term: t('statement.columns.balance'), value: <Balance quota={entry.balance} decimals={decimals} /> },
            ...(hasCause(entry)
              ? [
                  {
                    term: t('statement.columns.reference'),
                    value: <Cause entry={entry} forAdmin={forAdmin} username={username} />,
                  },
                ]
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

function CardTime({ entry: { created_at: time, kind }, exact = false }: { entry: StatementEntry; exact?: boolean }) {
  const { i18n } = useTranslation()
  return kind === 'usage' ? (
    <UsageDay time={time}>{formatShortDate(time, i18n.resolvedLanguage ?? 'en')}</UsageDay>
  ) : (
    <Time unixSeconds={time} exact={exact} />
  )
}

/** Usage is the sum of its day, so it has no time. */
function UsageDay({ time, children }: { time: number; children: ReactNode }) {
  return (
    <time className={`number ${styles.date}`} dateTime={dayOf(time)}>
      {children}
    </time>
  )
}

/** The day and the time. A day is visible once, in its first row. */
function EntryDate({ entry: { created_at: time, kind, startsDay } }: { entry: StatementEntry }) {
  const { i18n } = useTranslation()
  const language = i18n.resolvedLanguage ?? 'en'
  const exact = formatExactTime(time)
  const shownDay = (
    <span className={styles.day} data-repeated={!startsDay || undefined}>
      {formatShortDate(time, language)}
    </span>
  )
  if (kind === 'usage') return <UsageDay time={time}>{shownDay}</UsageDay>
  return (
    <Tooltip title={`${exact} · ${formatRelativeTime(time, language)}`}>
      <time className={`number ${styles.date}`} dateTime={new Date(time * 1000).toISOString()}>
        {shownDay} <span className="secondary">{exact.slice(11, 16)}</span>
      </time>
    </Tooltip>
  )
}

function KindName({ kind }: Pick<StatementLine, 'kind'>) {
  const { t } = useTranslation('wallet')
  const known = knownKind(kind)
  return known ? t(`kinds.${known}`) : kind
}

interface AmountProps {
  quota: number
  decimals: number
}

function Amount({ quota, decimals }: AmountProps) {
  const { t } = useTranslation()
  return (
    <Tooltip title={t('quotaExactly', { quota: formatCount(quota) })}>
      <span className={`number ${styles.amount}`} data-adds={quota > 0 || undefined}>
        {signedAmount(quota, decimals)}
      </span>
    </Tooltip>
  )
}

function Balance({ quota, decimals }: AmountProps) {
  const { t } = useTranslation()
  return (
    <Tooltip title={t('quotaExactly', { quota: formatCount(quota) })}>
      <span className="number">{formatEntryAmount(quota, decimals)}</span>
    </Tooltip>
  )
}

const hasCause = (entry: StatementLine): boolean => entry.requests > 0 || referenceName(entry) !== ''

type CauseProps = { entry: StatementLine } & Pick<EntryContext, 'forAdmin' | 'username'>

/** The cause of the entry: its requests, its payment order or another number. */
function Cause({ entry, forAdmin, username }: CauseProps) {
  const { t, i18n } = useTranslation('wallet')
  if (!hasCause(entry)) return null
  if (entry.requests > 0) {
    const form = pluralForm(entry.requests, i18n.resolvedLanguage)
    return (
      <Link className={styles.reference} to={usageLogPath(entry, username)}>
        {t(`statement.calls.${form}`, { calls: formatCount(entry.requests) })}
      </Link>
    )
  }
  const name = referenceName(entry)
  const orders = forAdmin ? `/admin/orders?trade_no=${encodeURIComponent(name)}` : '/app/wallet?tab=orders'
  return (
    <span className={styles.reference}>
      {orderNumber(entry) ? (
        <Link className="mono" to={orders}>
          {name}
        </Link>
      ) : (
        <span className="mono">{name}</span>
      )}
      <CopyButton text={name} label={t('copyOf', { name })} />
    </span>
  )
}

/** The administrator who acted, if there was one. Usage has none. */
function ActorName({ entry: { kind, actor, actor_id: id } }: { entry: StatementLine }) {
  if (id === 0) return kind === 'usage' ? null : <span className="secondary">–</span>
  return (
    <span className={styles.actor}>
      {actor && <span>{actor}</span>}
      <span className="secondary number">#{id}</span>
    </span>
  )
}
