import type { ShadowCall } from '@tidegate/contract/api'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Money } from '../../components/money.tsx'
import { formatCount } from '../../lib/format.ts'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import { Tooltip } from '../../ui/kit/index.ts'
import {
  differenceOf,
  formatDifference,
  formatShareChange,
  OUTCOME_TONES,
  outcomeOf,
  type ChargeKind,
} from './comparison.ts'
import { rejectionText } from './rejection-reasons.ts'
import styles from './shadow.module.css'

export function Nothing() {
  return <span className="secondary">–</span>
}

interface ChargeProps {
  quota: number | null
  kind?: ChargeKind
  /** Of all charges of a column. */
  decimals?: number | undefined
}

export function Charge({ quota, kind = 'call', decimals }: ChargeProps) {
  return quota === null ? <Nothing /> : <Money quota={quota} kind={kind} decimals={decimals} />
}

interface DifferenceProps {
  old: number | null
  ours: number | null
  kind?: ChargeKind
  decimals?: number | undefined
}

/** Neither green nor red, because a higher charge can be good or bad. The sign shows the direction. */
export function ChargeDifference({ old, ours, kind = 'call', decimals }: DifferenceProps) {
  const { t } = useTranslation()
  const difference = differenceOf(old, ours)
  if (difference === null) return <Nothing />
  const { quota, share } = difference
  if (quota === 0) return <Same />
  return (
    <Tooltip title={t('quotaExactly', { quota: formatCount(quota) })}>
      <span className={`number ${styles.difference}`}>
        <span>{formatDifference(quota, { kind, decimals })}</span>
        <span className={styles.differenceShare}>{share !== null && formatShareChange(share)}</span>
      </span>
    </Tooltip>
  )
}

/** Rows without a difference are muted, so that the others stand out. */
function Same() {
  const { t } = useTranslation('shadow')
  return <span className="secondary">{t('outcomes.same')}</span>
}

interface ChannelProps {
  /** Null or, in old logs, 0 if there was no channel. */
  id: number | null
  /** Blank if the channel was deleted. */
  name: string
}

export function ChannelName({ id, name }: ChannelProps) {
  if (id === null || id === 0) return <Nothing />
  return (
    <Link className={styles.channel} to={`/admin/channels?keyword=${id}`} title={name || undefined}>
      <span className="number">#{id}</span> {name}
    </Link>
  )
}

interface RequestProps {
  request: ShadowCall
}

/** The outcome, and the reason of a rejection. */
export function OutcomeTag({ request }: RequestProps) {
  const { t } = useTranslation('shadow')
  const outcome = outcomeOf(request)
  return (
    <span className={styles.lines} data-same={outcome === 'same' || undefined}>
      <StatusTag tone={OUTCOME_TONES[outcome]}>{t(`outcomes.${outcome}`)}</StatusTag>
      {request.refusal !== null && <span className={styles.reason}>{rejectionText(request.refusal, t)}</span>}
    </span>
  )
}

/** The requested model and, if it differs, the upstream model. */
export function ModelName({ request: { model_name: name, upstream_model: upstream } }: RequestProps) {
  const { t } = useTranslation('shadow')
  return (
    <span className={styles.lines}>
      <span className={`mono ${styles.name}`}>{name}</span>
      {upstream !== '' && upstream !== name && (
        <span className={`mono secondary ${styles.under}`} title={t('upstream', { name: upstream })}>
          → {upstream}
        </span>
      )}
    </span>
  )
}

/** A path that breaks only after a slash. */
export function PathText({ path }: { path: string }) {
  const [first = '', ...rest] = path.split('/')
  return (
    <span className="mono">
      {first}
      {rest.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts of one text that never move
        <Fragment key={index}>
          /<wbr />
          {part}
        </Fragment>
      ))}
    </span>
  )
}

export function TokenCount({ value }: { value: number | null }) {
  return value === null ? <Nothing /> : <span className="number">{formatCount(value)}</span>
}
