import type { LiveFigures } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { compact } from '../../../lib/format.ts'
import { Sparkline } from '../../../ui/chart-sparkline.tsx'
import { StatusTag, type Tone } from '../../../ui/status-tag.tsx'
import { Panel } from '../charts/panel.tsx'
import styles from '../dashboard.module.css'
import { formatShare } from '../data/metrics.ts'
import { KEPT, useLiveFigures, type Live } from './use-live-figures.ts'

const TONES: Record<Live['state'], Tone> = { open: 'good', connecting: 'neutral', waiting: 'warn' }

/** What goes on right now, with the last minutes as this page has seen them. */
export function LivePanel() {
  const { t } = useTranslation('dashboard')
  const { state, figures } = useLiveFigures()
  const now = figures.at(-1)
  return (
    <Panel
      title={t('live.title')}
      aside={now && t('live.nodes', { count: now.nodes })}
      action={<StatusTag tone={TONES[state]}>{t(`live.states.${state}`)}</StatusTag>}
    >
      <dl className={styles.live}>
        <Figure name={t('live.requests')} value={now && rate(now.requests_per_second)} course={courseOf(requests)} />
        <Figure name={t('live.tokens')} value={now && rate(now.tokens_per_second)} course={courseOf(tokens)} />
        <Figure
          name={t('live.errors')}
          value={now && formatShare(now.error_rate)}
          course={courseOf(errors)}
          isBad={(now?.error_rate ?? 0) >= 0.05}
        />
        <Figure name={t('live.firstTokenMedian')} value={now && duration(now.first_token_p50)} course={courseOf(p50)} />
        <Figure name={t('live.firstTokenSlow')} value={now && duration(now.first_token_p95)} course={courseOf(p95)} />
        <Figure name={t('live.open')} value={now && String(now.open_calls)} course={courseOf(open)} />
      </dl>
    </Panel>
  )

  function courseOf(pick: (figures: LiveFigures) => number | undefined) {
    return figures.map(pick)
  }
}

const requests = (figures: LiveFigures) => figures.requests_per_second
const tokens = (figures: LiveFigures) => figures.tokens_per_second
const errors = (figures: LiveFigures) => figures.error_rate
const p50 = (figures: LiveFigures) => figures.first_token_p50
const p95 = (figures: LiveFigures) => figures.first_token_p95
const open = (figures: LiveFigures) => figures.open_calls

interface FigureProps {
  name: string
  /** Undefined until the first figures arrive. */
  value: string | undefined
  course: readonly (number | undefined)[]
  isBad?: boolean
}

function Figure({ name, value, course, isBad = false }: FigureProps) {
  return (
    <div className={styles.liveFigure} data-bad={isBad || undefined}>
      <dt>{name}</dt>
      <dd>
        <span className={`number ${styles.liveValue}`}>{value ?? '–'}</span>
        <Sparkline values={course} places={KEPT} />
      </dd>
    </div>
  )
}

const rate = (value: number) => (value >= 100 ? compact(Math.round(value)) : value.toFixed(value >= 10 ? 1 : 2))

function duration(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '–'
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}
