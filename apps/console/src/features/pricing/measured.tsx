import type { ModelFigures } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../components/resource/load-error.tsx'
import { SuccessBars } from '../../components/success-bars.tsx'
import { formatCount, formatRowTime, formatSeconds } from '../../lib/format.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { figuresQuery } from './api.ts'
import { formatAvailability, lastDay, type Hour } from './availability.ts'
import styles from './pricing.module.css'

/** Metrics of the model on this site in the last 24 hours. */
export function Measured({ model }: { model: string }) {
  const { t } = useTranslation('pricing')
  const { t: common } = useTranslation()
  const figures = useQuery(figuresQuery(model))
  return (
    <section className={styles.panel} aria-labelledby="measured">
      <h2 id="measured" className={styles.panelTitle}>
        {t('measured.title')}
      </h2>
      <p className={styles.panelHint}>{t(figures.data?.calls === 0 ? 'measured.none' : 'measured.hint')}</p>
      {body()}
    </section>
  )

  function body() {
    const { data, error } = figures
    if (!data && error) {
      return (
        <LoadError
          title={common('errors.loadFailed')}
          error={error}
          retrying={figures.isFetching}
          onRetry={figures.refetch}
        />
      )
    }
    if (!data) return <SkeletonLines lines={2} />
    return data.calls > 0 && <Figures figures={data} />
  }
}

function Figures({ figures }: { figures: ModelFigures }) {
  const { t } = useTranslation('pricing')
  const { first_token_p50: median, first_token_p95: slow, tokens_per_second: speed } = figures
  return (
    <div className={styles.measured}>
      <dl className={styles.figures}>
        <Figure name={t('measured.availability')} value={formatAvailability(figures.availability)} />
        <Figure name={t('measured.firstToken')} value={seconds(median)} />
        <Figure name={t('measured.firstTokenSlow')} value={seconds(slow)} />
        <Figure
          name={t('measured.speed')}
          // Responses that arrive in one chunk have no speed.
          value={speed ? t('measured.perSecond', { tokens: speed >= 10 ? Math.round(speed) : speed.toFixed(1) }) : '–'}
        />
        <Figure name={t('measured.calls')} value={formatCount(figures.calls)} />
      </dl>
      <HourStrip hours={figures.hours} />
    </div>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="number">{value}</dd>
    </div>
  )
}

const seconds = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? '–' : formatSeconds(milliseconds)

/** One bar per hour for the last 24 hours. */
function HourStrip({ hours }: { hours: readonly Hour[] }) {
  const { t, i18n } = useTranslation('pricing')
  const day = lastDay(hours)
  const busy = day.filter(({ calls }) => calls > 0).length
  const bad = day.filter(({ failed }) => failed > 0).length
  return (
    <figure className={styles.strip} aria-label={t('measured.strip', { busy, bad })}>
      <SuccessBars
        height={36}
        width={12}
        gap={3}
        isStretched
        parts={day.map((hour) => ({
          key: hour.hour,
          succeeded: hour.calls - hour.failed,
          failed: hour.failed,
          title: hourText(hour),
        }))}
      />
      <figcaption className={styles.stripEnds} aria-hidden>
        <span>{t('measured.dayAgo')}</span>
        <span>{t('measured.now')}</span>
      </figcaption>
    </figure>
  )

  function hourText({ hour, calls, failed }: Hour): string {
    const time = formatRowTime(hour, i18n.resolvedLanguage ?? 'en')
    if (calls === 0) return t('measured.idleHour', { time })
    return t('measured.hour', { time, calls, share: formatAvailability(1 - failed / calls) })
  }
}
