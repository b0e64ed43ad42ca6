import {
  CHANNEL_LIMITS,
  CHANNEL_STATUS,
  channelTypeOf,
  HEALTH_BUCKET_SECONDS,
  HEALTH_BUCKETS,
  type Channel,
  type ChannelStateName,
  type ChannelStats,
  type HealthBucket,
} from '@tidegate/contract/api'
import { createContext, useContext, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorLabel, type ErrorLabel } from '../../../components/error-label.ts'
import { HealthStrip, HealthStripLoading, type HealthPart } from '../../../components/health-strip.tsx'
import { formatBalance, formatCount, dollars, formatExactTime, formatRelativeTime } from '../../../lib/format.ts'
import { useBusy } from '../../../lib/use-busy.ts'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { StatusTag, type Tone } from '../../../ui/feedback/status-tag.tsx'
import { InlineNumber } from '../../../ui/form/inline-number.tsx'
import type { NumberField } from '../api.ts'
import { shortError, splitNames, statusReason, usageWarning } from '../channel-text.ts'
import { typeName } from '../../../components/channel-type-name.ts'
import styles from '../channels.module.css'
import { useActions } from './actions.tsx'
import type { TagRow } from './rows.ts'

/*
 * Cells use plain titles: a dozen tooltips of the kit in each of a hundred rows would be slow. Health and statistics come
 * from contexts, so that rows do not render again when they arrive.
 */

/** Undefined until it is loaded. */
export const HealthContext = createContext<ReadonlyMap<number, readonly HealthBucket[]> | undefined>(undefined)
export const StatsContext = createContext<ReadonlyMap<number, ChannelStats>>(new Map())

export const groupsOf = (channel: Channel): string[] => splitNames(channel.group)
export const modelsOf = (channel: Channel): string[] => splitNames(channel.models)

/** The status of the channel decides, because statistics may be a minute old. */
export function stateOf({ status }: Pick<Channel, 'status'>, stats: ChannelStats | undefined): ChannelStateName {
  if (status === CHANNEL_STATUS.autoDisabled) return 'auto_disabled'
  if (status !== CHANNEL_STATUS.enabled) return 'disabled'
  return stats?.state === 'failing' ? 'failing' : 'healthy'
}

export const STATE_TONES = { healthy: 'good', failing: 'bad', auto_disabled: 'bad', disabled: 'neutral' } as const

/** A shape and a colour: circle, triangle, square or ring. */
export function StateMark({ state }: { state: ChannelStateName }) {
  return (
    <svg className={styles.state} data-state={state} width="10" height="10" viewBox="0 0 10 10" aria-hidden>
      {state === 'healthy' && <circle cx="5" cy="5" r="4" />}
      {state === 'failing' && <path d="M5 .8L9.6 9H.4Z" />}
      {state === 'auto_disabled' && <rect x="1" y="1" width="8" height="8" rx="1.5" />}
      {state === 'disabled' && <circle cx="5" cy="5" r="3.4" />}
    </svg>
  )
}

/** The state of a channel; the title adds why and since when it was disabled automatically. */
export function ChannelState({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  const state = stateOf(channel, useContext(StatsContext).get(channel.id))
  const details = useStateDetails(channel)
  const text = [t(`states.${state}`), ...details].join(' · ')
  return (
    <span className={styles.stateCell} title={text}>
      <StateMark state={state} />
      <span className="visually-hidden">{text}</span>
    </span>
  )
}

/** Why a channel was disabled automatically, and a warning about its usage. */
export function useStateDetails({ status, other_info: info }: Pick<Channel, 'status' | 'other_info'>): string[] {
  const { t } = useTranslation('channels')
  const warning = usageWarning(info)
  const details: string[] = []
  if (status === CHANNEL_STATUS.autoDisabled) {
    const { reason, time } = statusReason(info)
    details.push(t('status.reason', { reason: reason || t('status.noReason') }))
    if (time > 0) details.push(t('status.since', { time: formatExactTime(time) }))
  }
  if (warning) {
    details.push(
      t('status.implausibleDetails', {
        time: formatExactTime(warning.time),
        model: warning.model,
        reported: formatCount(warning.reported),
        counted: formatCount(warning.counted),
      }),
    )
  }
  return details
}

export function StatusText({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  const state = stateOf(channel, useContext(StatsContext).get(channel.id))
  return <StatusTag tone={state === 'healthy' ? 'usual' : STATE_TONES[state]}>{t(`states.${state}`)}</StatusTag>
}

export function TagStatus({ row: { enabled, enabledCount, channels } }: { row: TagRow }) {
  const { t } = useTranslation('channels')
  return (
    <StatusTag tone={enabled ? 'usual' : 'neutral'}>
      <span className="visually-hidden">{enabled ? t('status.enabled') : t('status.disabled')} </span>
      <span className="number">
        {enabledCount}/{channels.length}
      </span>
    </StatusTag>
  )
}

export function TypeName({ type }: { type: number | null }) {
  const { t } = useTranslation('channels')
  if (type === null) return <span className="secondary">{t('types.several')}</span>
  const name = typeName(type, t)
  if (!channelTypeOf(type)?.legacy) return <>{name}</>
  return (
    <span className="secondary" title={t('types.legacy')}>
      {name}
    </span>
  )
}

/** The first name and the number of others. */
export function FirstOf({ names, mono = false }: { names: readonly string[]; mono?: boolean }) {
  const [first, ...others] = names
  if (first === undefined) return <Unknown />
  return (
    <span className={styles.firstOf} title={names.slice(0, 60).join(', ')}>
      <span className={`${styles.cut} ${mono ? 'mono' : ''}`}>{first}</span>
      {others.length > 0 && <span className="secondary">+{others.length}</span>}
    </span>
  )
}

export function ModelNames({ models, owner }: { models: readonly string[]; owner: string }) {
  const { t } = useTranslation('channels')
  return (
    <span className={styles.models}>
      <FirstOf names={models} mono />
      <CopyButton text={models.join(',')} label={t('copyModels', { name: owner })} />
    </span>
  )
}

export const Unknown = () => <span className="secondary">–</span>

export function ResponseTime({ milliseconds, testedAt = 0 }: { milliseconds: number; testedAt?: number }) {
  const { t } = useTranslation('channels')
  if (milliseconds === 0) return <span className="secondary">{t('untested')}</span>
  return (
    <span title={testedAt > 0 ? t('testedAt', { time: formatExactTime(testedAt) }) : undefined}>
      <StatusTag tone={responseTone(milliseconds)} plain>
        <span className="number">{t('seconds', { seconds: (milliseconds / 1000).toFixed(2) })}</span>
      </StatusTag>
    </span>
  )
}

export function responseTone(milliseconds: number): Tone {
  if (milliseconds <= 1000) return 'good'
  if (milliseconds <= 3000) return 'info'
  return milliseconds <= 5000 ? 'warn' : 'bad'
}

interface HealthCellProps {
  ids: readonly number[]
  name: string
  /** Its state decides the colour of the percentage. */
  channel?: Channel
}

export function HealthCell({ ids, name, channel }: HealthCellProps) {
  const { t } = useTranslation('channels')
  const health = useContext(HealthContext)
  const stats = useContext(StatsContext)
  if (!health) return <HealthStripLoading />
  return (
    <HealthStrip
      parts={addUp(ids.map((id) => health.get(id) ?? []))}
      label={t('healthOf', { name })}
      {...(channel && { isFailing: stateOf(channel, stats.get(channel.id)) === 'failing' })}
    />
  )
}

/** Adds up the buckets of several channels, which start at the same times. */
export function addUp(strips: readonly (readonly HealthBucket[])[], now = Date.now()): HealthPart[] {
  const parts = new Map(emptyHour(now).map((part) => [part.time, part]))
  for (const { time, succeeded, failed, average_ms: average } of strips.flat()) {
    const before = parts.get(time) ?? { time, succeeded: 0, failed: 0, averageMs: 0 }
    const duration = before.averageMs * before.succeeded + average * succeeded
    const total = before.succeeded + succeeded
    parts.set(time, {
      time,
      succeeded: total,
      failed: before.failed + failed,
      averageMs: total === 0 ? 0 : duration / total,
    })
  }
  return [...parts.values()].toSorted((a, b) => a.time - b.time).slice(-HEALTH_BUCKETS)
}

function emptyHour(now: number): HealthPart[] {
  const current = Math.floor(now / 1000 / HEALTH_BUCKET_SECONDS) * HEALTH_BUCKET_SECONDS
  return Array.from({ length: HEALTH_BUCKETS }, (_, index) => ({
    time: current - (HEALTH_BUCKETS - 1 - index) * HEALTH_BUCKET_SECONDS,
    succeeded: 0,
    failed: 0,
    averageMs: 0,
  }))
}

/** The average of one or more channels, weighted by their successful attempts. */
export function FirstToken({ ids }: { ids: readonly number[] }) {
  const { t } = useTranslation('channels')
  const stats = useContext(StatsContext)
  const average = averageFirstToken(ids.flatMap((id) => stats.get(id) ?? []))
  if (average === null) return <Unknown />
  return <span className="number">{t('seconds', { seconds: (average / 1000).toFixed(2) })}</span>
}

export function averageFirstToken(stats: readonly Pick<ChannelStats, 'last_hour'>[]): number | null {
  let [total, weights] = [0, 0]
  for (const { first_token_average_ms: average, succeeded } of stats.map((entry) => entry.last_hour)) {
    if (average === null) continue
    const weight = Math.max(succeeded, 1)
    total += average * weight
    weights += weight
  }
  return weights === 0 ? null : total / weights
}

/** Billed amount of one or more channels. */
export function Billed({ ids, period }: { ids: readonly number[]; period: 'today' | 'last_30_days' }) {
  const { t } = useTranslation()
  const stats = useContext(StatsContext)
  const known = ids.flatMap((id) => stats.get(id) ?? [])
  if (known.length === 0) return <Unknown />
  const quota = known.reduce((sum, entry) => sum + entry[period].billed_quota, 0)
  return (
    <span className="number" title={t('quotaExactly', { quota: formatCount(quota) })}>
      {formatBalance(quota)}
    </span>
  )
}

/** A plain amount: `Money` has a tooltip component. */
export function Amount({ quota }: { quota: number }) {
  const { t } = useTranslation()
  return (
    <span className="number" title={t('quotaExactly', { quota: formatCount(quota) })}>
      {formatBalance(quota)}
    </span>
  )
}

/** Balances below this amount of dollars are highlighted. */
const LOW_BALANCE = 20

/** The balance at the provider. A click refreshes it. */
export function Balance({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  const { refreshBalance } = useActions()
  const { busy, run } = useBusy<'balance'>()
  const { name, balance, balance_updated_time: updated } = channel
  const isKnown = updated > 0
  const tone = !isKnown ? undefined : balance <= 0 ? 'bad' : balance < LOW_BALANCE ? 'warn' : undefined
  return (
    <button
      type="button"
      title={isKnown ? t('balance.hint', { time: formatExactTime(updated) }) : t('balance.unknownHint')}
      className={styles.balance}
      disabled={busy !== null}
      data-tone={tone}
      aria-label={t('balance.refresh', { name, balance: isKnown ? dollars(balance, 2, 2) : t('balance.unknown') })}
      onClick={() => run('balance', () => refreshBalance(channel))}
    >
      <span className={isKnown ? 'number' : 'secondary'}>{isKnown ? dollars(balance, 2, 2) : '–'}</span>
    </button>
  )
}

/** The last error of one or more channels, red while the channel is failing or disabled because of it. */
export function LastError({ channels }: { channels: readonly Channel[] }) {
  const { t, i18n } = useTranslation('channels')
  const stats = useContext(StatsContext)
  const labelOf = useErrorLabel()
  const error = channels
    .flatMap((channel) => currentError(channel, stats.get(channel.id), labelOf) ?? [])
    .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.time - a.time)[0]
  if (!error) return <Unknown />
  const { label, text, time, isCurrent, hasAge } = error
  // A failing channel failed within minutes: its message uses the space.
  const age = time === 0 || !hasAge ? '' : formatRelativeTime(time, i18n.resolvedLanguage ?? 'en', { style: 'narrow' })
  return (
    <span className={styles.lastError} title={[text, time > 0 ? formatExactTime(time) : ''].filter(Boolean).join('\n')}>
      <span className={styles.cut} data-current={isCurrent || undefined}>
        {label || t('status.noReason')}
      </span>
      {age !== '' && <span className={styles.age}>{age}</span>}
    </span>
  )
}

export function currentError(channel: Channel, stats: ChannelStats | undefined, labelOf: ErrorLabel) {
  const state = stateOf(channel, stats)
  const last = stats?.last_error
  if (state === 'auto_disabled') {
    const { reason, time } = statusReason(channel.other_info)
    const isSame = last && last.message !== '' && reason.includes(last.message)
    const label = shortError({ message: reason, code: isSame ? last.code : '' }, labelOf)
    return { label, text: reason, time, isCurrent: true, hasAge: true }
  }
  if (!last) return null
  const isCurrent = state === 'failing'
  return { label: shortError(last, labelOf), text: last.message, time: last.time, isCurrent, hasAge: !isCurrent }
}

export function ChannelNumber({ channel, field }: { channel: Channel; field: NumberField }) {
  const { t } = useTranslation('channels')
  const { setNumber } = useActions()
  const check = useNumberCheck(field)
  return (
    <NumberKeys>
      <InlineNumber
        label={t(`numberOf.${field}`, { name: channel.name })}
        value={channel[field]}
        check={check}
        onSave={(value) => setNumber(channel, field, value)}
      />
    </NumberKeys>
  )
}

export function TagNumber({ row, field }: { row: TagRow; field: NumberField }) {
  const { t } = useTranslation('channels')
  const { setTagNumber } = useActions()
  const check = useNumberCheck(field)
  if (row.tag === '') return <span className="number">{row[field] ?? t('mixed')}</span>
  return (
    <NumberKeys>
      <InlineNumber
        label={t(`numberOf.${field}`, { name: row.tag })}
        value={row[field]}
        placeholder={t('mixed')}
        check={check}
        onSave={(value) => setTagNumber(row.tag, field, value)}
      />
    </NumberKeys>
  )
}

/** Arrow keys change the number by 1, with Shift by 10. The field is an uncommitted draft until Enter. */
export function NumberKeys({ children }: { children: React.ReactNode }) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    const input = event.target
    if (step === undefined || !(input instanceof HTMLInputElement)) return
    event.preventDefault()
    event.stopPropagation() // the table would move to another row
    const value = Number(input.value) + step * (event.shiftKey ? 10 : 1)
    if (!Number.isSafeInteger(value)) return
    // The field is controlled: only the native setter makes React see the new value.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, String(value))
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return (
    <span className={styles.editable} onKeyDownCapture={onKeyDown}>
      {children}
    </span>
  )
}

export function useNumberCheck(field: NumberField) {
  const { t } = useTranslation('channels')
  return (text: string): string | null => {
    if (field === 'weight') return /^\d{1,9}$/.test(text) ? null : t('weightInvalid')
    if (!/^-?\d{1,15}$/.test(text)) return t('priorityInvalid')
    return Number(text) < CHANNEL_LIMITS.minPriority ? t('priorityLow', { min: CHANNEL_LIMITS.minPriority }) : null
  }
}

export function KeyCount({ total, disabled }: { total: number; disabled: number }) {
  return (
    <span className={`number ${disabled > 0 ? styles.warn : ''}`}>
      {total - disabled}/{total}
    </span>
  )
}
