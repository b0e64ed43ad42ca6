import type { Channel, UsageLog } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { successShare, summarize } from '../../../components/health-strip.tsx'
import { SuccessBars } from '../../../components/success-bars.tsx'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { formatBalance, formatCount, formatExactTime } from '../../../lib/format.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { Alert } from '../../../ui/kit/index.ts'
import { Time } from '../../../ui/page/time.tsx'
import { channelErrorsQuery, healthQuery, routePlanQuery, statsQuery } from '../api.ts'
import { addUp, groupsOf, modelsOf, stateOf, useStateDetails } from '../list/cells.tsx'
import styles from './panel.module.css'

/** Health, amounts and errors of a channel. */
export function OverviewTab({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  const stats = useQuery(statsQuery([channel.id])).data?.get(channel.id)
  const details = useStateDetails(channel)
  const hour = stats?.last_hour
  const total = hour ? hour.succeeded + hour.failed : 0
  return (
    <>
      {details.length > 0 && <Alert type="warning" showIcon title={details.join(' · ')} />}
      <CircuitAlert channel={channel} model={stats?.last_error?.model ?? modelsOf(channel)[0] ?? ''} />
      <dl className={styles.figures}>
        <Figure
          term={t('panel.success')}
          value={hour && total > 0 ? successShare(hour) : '–'}
          isBad={stateOf(channel, stats) === 'failing'}
          hint={hour && total > 0 ? t('panel.attempts', { succeeded: hour.succeeded, total }) : t('panel.noAttempts')}
        />
        <Figure
          term={t('panel.firstToken')}
          value={seconds(hour?.first_token_average_ms ?? null)}
          hint={
            channel.response_time > 0
              ? t('panel.lastTest', { seconds: (channel.response_time / 1000).toFixed(2) })
              : t('untested')
          }
        />
        <Figure
          term={t('panel.billed')}
          value={stats ? formatBalance(stats.today.billed_quota) : '–'}
          hint={stats ? t('panel.billed30', { amount: formatBalance(stats.last_30_days.billed_quota) }) : ''}
        />
        <Figure
          term={t('panel.failedToday')}
          value={stats ? formatCount(stats.today.failed) : '–'}
          hint={stats ? t('panel.requestsToday', { count: stats.today.requests }) : ''}
        />
      </dl>
      <HourChart id={channel.id} />
      <RecentErrors id={channel.id} />
    </>
  )

  function seconds(milliseconds: number | null): string {
    return milliseconds === null ? '–' : t('seconds', { seconds: (milliseconds / 1000).toFixed(2) })
  }
}

interface FigureProps {
  term: string
  value: ReactNode
  hint: string
  isBad?: boolean
}

function Figure({ term, value, hint, isBad = false }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt>{term}</dt>
      <dd className={styles.value} data-bad={isBad || undefined}>
        {value}
      </dd>
      <dd className={styles.hint}>{hint}</dd>
    </div>
  )
}

/** The API reports circuit breakers per model only, so the model of the last error is looked up. */
function CircuitAlert({ channel, model }: { channel: Channel; model: string }) {
  const { t } = useTranslation('channels')
  const plan = useQuery({
    ...routePlanQuery({ model, group: groupsOf(channel)[0] ?? 'default', promptTokens: 0 }),
    retry: false,
  })
  const excluded = plan.data?.excluded.find((entry) => entry.channel_id === channel.id)
  const candidate = plan.data?.tiers.flatMap((tier) => tier.channels).find((entry) => entry.channel_id === channel.id)
  const circuit = (excluded ?? candidate)?.circuit
  if (!circuit || circuit.state === 'closed') return null
  const details = [t('panel.circuitDetails', { count: circuit.tripped_keys })]
  if (excluded?.retry_in_ms !== undefined) {
    details.push(t('panel.retryIn', { seconds: Math.ceil(excluded.retry_in_ms / 1000) }))
  }
  return (
    <Alert
      type="error"
      showIcon
      title={t(circuit.state === 'open' ? 'panel.circuitOpen' : 'panel.circuitHalfOpen', { model })}
      description={details.join(' · ')}
    />
  )
}

/** Attempts of the last hour, 5 minutes each. */
function HourChart({ id }: { id: number }) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const health = useQuery(healthQuery([id]))
  const parts = addUp([health.data?.get(id) ?? []])
  const sum = summarize(parts)
  return (
    <section className={styles.section} aria-label={t('panel.lastHour')}>
      <h3 className={styles.heading}>
        {t('panel.lastHour')}
        <span className={styles.legend}>
          <span data-kind="good">{t('panel.succeeded')}</span>
          <span data-kind="bad">{t('panel.failed')}</span>
        </span>
      </h3>
      {sum.calls === 0 ? (
        <p className={styles.nothing}>{common('health.idle')}</p>
      ) : (
        <>
          <SuccessBars
            height={96}
            width={30}
            gap={10}
            isScaled
            isStretched
            parts={parts.map(({ time, succeeded, failed }) => ({
              key: time,
              succeeded,
              failed,
              title: common('health.part', { time: clock(time), succeeded, failed }),
            }))}
          />
          <p className={styles.clock} aria-hidden>
            {parts.map(({ time }, index) => index % 3 === 0 && <span key={time}>{clock(time)}</span>)}
          </p>
        </>
      )}
    </section>
  )
}

const clock = (time: number): string => formatExactTime(time).slice(11, 16)

const SHOWN_ERRORS = 6

/** The newest errors, grouped by code and message. */
function RecentErrors({ id }: { id: number }) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const errors = useQuery(channelErrorsQuery(id))
  return (
    <section className={styles.section} aria-label={t('panel.errors')}>
      <h3 className={styles.heading}>
        {t('panel.errors')}
        {(errors.data?.length ?? 0) > 0 && (
          <Link className={styles.more} to={`/app/logs/api-usage?type=6&channel=${id}`}>
            {t('panel.allErrors')}
          </Link>
        )}
      </h3>
      {content()}
    </section>
  )

  function content() {
    if (errors.error) {
      return (
        <LoadError
          title={common('errors.loadFailed')}
          error={errors.error}
          retrying={errors.isFetching}
          onRetry={errors.refetch}
        />
      )
    }
    if (!errors.data) return <SkeletonLines lines={3} />
    if (errors.data.length === 0) return <p className={styles.nothing}>{t('panel.noErrors')}</p>
    return (
      <ul className={styles.errors}>
        {groupErrors(errors.data)
          .slice(0, SHOWN_ERRORS)
          .map(({ row, count }) => (
            <li key={row.id}>
              <Time unixSeconds={row.created_at} />
              <span>
                <StatusTag tone="bad" plain>
                  {row.error_code || row.model_name}
                </StatusTag>
              </span>
              <span className={styles.message} title={row.content}>
                {row.content}
              </span>
              <span className="secondary number">{count > 1 && `×${count}`}</span>
            </li>
          ))}
      </ul>
    )
  }
}

/** Errors with the same code and message, the newest first. */
export function groupErrors(rows: readonly UsageLog[]): { row: UsageLog; count: number }[] {
  const groups = Map.groupBy(rows, ({ error_code: code = '', content }) => `${code}\n${content}`)
  return [...groups.values()].map((same) => ({ row: same[0]!, count: same.length }))
}
