import * as api from '@tidegate/contract/api'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { followEvents, type FeedState } from '../../api/events.ts'
import { compact, pluralForm } from '../../lib/format.ts'
import { Tooltip } from '../../ui/kit/index.ts'
import styles from './dashboard.module.css'
import { formatMilliseconds, formatShare } from './usage.ts'

/** From this share on, the error rate is shown and marked. */
const HIGH_ERROR_RATE = 0.05

/** Live traffic in one line. Updated every two seconds while the page is visible. */
export function LiveStrip() {
  const { t, i18n } = useTranslation('dashboard')
  const { state, metrics } = useLiveMetrics()
  return (
    <section className={styles.live} aria-label={t('live.title')}>
      <Tooltip title={t(`live.states.${state}`)}>
        <span className={styles.liveState} data-state={state}>
          <span className={styles.liveDot} aria-hidden />
          <span className="visually-hidden">{t(`live.states.${state}`)}</span>
        </span>
      </Tooltip>
      {metrics && (
        <dl className={styles.liveValues}>
          <Value name={t('live.requests')} value={rate(metrics.requests_per_second)} />
          <Value name={t('live.open')} value={compact(metrics.open_calls)} />
          <Value name={t('live.tokens')} value={rate(metrics.tokens_per_second)} />
          {metrics.first_token_p95 !== undefined && (
            <Value name={t('live.firstToken')} value={formatMilliseconds(metrics.first_token_p95)} />
          )}
          {metrics.error_rate >= HIGH_ERROR_RATE && (
            <Value name={t('live.errors')} value={formatShare(metrics.error_rate)} isBad />
          )}
          <Value
            name={t(`live.nodes.${pluralForm(metrics.nodes, i18n.resolvedLanguage)}`)}
            value={String(metrics.nodes)}
          />
        </dl>
      )}
    </section>
  )
}

function Value({ name, value, isBad = false }: { name: string; value: string; isBad?: boolean }) {
  return (
    <div className={styles.liveValue} data-bad={isBad || undefined}>
      <dt>{name}</dt>
      <dd className="number">{value}</dd>
    </div>
  )
}

interface Live {
  state: FeedState
  metrics?: api.LiveFigures
}

function useLiveMetrics(): Live {
  const [live, setLive] = useState<Live>({ state: 'connecting' })
  useEffect(
    () =>
      followEvents(api.followLiveFigures, {
        onState: (state) => setLive((before) => ({ ...before, state })),
        onData(data) {
          const metrics = parse(data)
          if (metrics) setLive((before) => ({ ...before, metrics }))
        },
      }),
    [],
  )
  return live
}

/** Times to the first token are missing without streams. */
const REQUIRED = [
  'requests_per_second',
  'tokens_per_second',
  'error_rate',
  'open_calls',
  'nodes',
  'at',
] as const satisfies readonly (keyof api.LiveFigures)[]

function parse(data: string): api.LiveFigures | undefined {
  try {
    const metrics = JSON.parse(data) as api.LiveFigures
    return REQUIRED.every((name) => typeof metrics[name] === 'number') ? metrics : undefined
  } catch {
    return undefined // from a server of another version
  }
}

function rate(value: number): string {
  if (value === 0) return '0'
  return value >= 100 ? compact(Math.round(value)) : value.toFixed(value >= 10 ? 1 : 2)
}
