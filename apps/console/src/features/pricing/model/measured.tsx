import type { ModelFigures } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/kit/index.ts'
import styles from '../pricing.module.css'
import { figuresQuery } from '../queries.ts'
import { formatAvailability } from './availability.ts'
import { HourStrip } from './hour-strip.tsx'

/** How the model did on this site in the last day. */
export function Measured({ model }: { model: string }) {
  const { t } = useTranslation('pricing')
  const { t: common } = useTranslation()
  const figures = useQuery(figuresQuery(model))
  return (
    <section className={styles.panel} aria-labelledby="measured">
      <h2 id="measured" className={styles.panelTitle}>
        {t('measured.title')}
      </h2>
      <p className={styles.panelHint}>{t('measured.hint')}</p>
      {body()}
    </section>
  )

  function body() {
    const { data, error } = figures
    if (!data && error) {
      return (
        <ErrorState
          title={common('errors.loadFailed')}
          error={error}
          retrying={figures.isFetching}
          onRetry={figures.refetch}
        />
      )
    }
    if (!data) return <Skeleton active title={false} paragraph={{ rows: 4 }} />
    if (data.calls === 0) return <p className={styles.noCalls}>{t('measured.none')}</p>
    return <Figures figures={data} />
  }
}

function Figures({ figures }: { figures: ModelFigures }) {
  const { t } = useTranslation('pricing')
  const { first_token_p50: median, first_token_p95: slow, tokens_per_second: speed } = figures
  return (
    <>
      <dl className={styles.figures}>
        <Figure name={t('measured.availability')} value={formatAvailability(figures.availability)} />
        <Figure name={t('measured.firstToken')} value={seconds(median)} />
        <Figure name={t('measured.firstTokenSlow')} value={seconds(slow)} />
        <Figure
          name={t('measured.speed')}
          // Answers that came in one burst have no speed.
          value={speed ? t('measured.perSecond', { tokens: speed >= 10 ? Math.round(speed) : speed.toFixed(1) }) : '–'}
        />
        <Figure name={t('measured.calls')} value={formatCount(figures.calls)} />
      </dl>
      <HourStrip hours={figures.hours} />
    </>
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

function seconds(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '–'
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(2)} s`
}
