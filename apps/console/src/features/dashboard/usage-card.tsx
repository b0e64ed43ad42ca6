import { AreaChartOutlined, TableOutlined } from '@ant-design/icons'
import { TIME_STEPS, type TimeStep } from '@tidegate/contract/api'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../components/resource/load-error.tsx'
import { PALETTES } from '../../lib/theme/palette.ts'
import { useThemeMode } from '../../lib/theme/theme-mode.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { SkeletonBlock, SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import { stackedChartOption } from '../../ui/chart/stacked-chart.ts'
import { seriesColor } from '../../ui/chart/style.ts'
import { tooltipBox } from '../../ui/chart/tooltip.ts'
import { Button, Segmented, Tooltip } from '../../ui/kit/index.ts'
import styles from './dashboard.module.css'
import { TotalChange } from './figures.tsx'
import { NoUsage } from './first-steps.tsx'
import { labelledHours, partialFrom, partialUntil, stepName, stepTick, type ShownTime } from './time-steps.ts'
import { METRICS, metricFormat, TOP_MODELS, type Metric, type Sums, type Usage } from './usage.ts'
import { CHART_HEIGHT, ModelTable, StepTable, useMetricNames } from './usage-tables.tsx'
import { defaultRange, isLong, RANGES, shownStep, stepFor, type RangeName, type Span, type View } from './view.ts'

const CustomRange = lazy(() => import('./pickers.tsx').then((module) => ({ default: module.CustomRange })))

/** Hours of more than two days: only days are labelled. */
const MANY_HOURS = 48

interface Props {
  view: View
  span: Span
  defaultStep: TimeStep
  time: ShownTime
  /** Undefined while it loads. */
  usage: Usage | undefined
  before: Sums | undefined
  error: unknown
  onRetry(): unknown
}

/** Usage over time by model: metric, range and interval switches, chart, and a table of the models. */
export function UsageCard({ view, span, defaultStep, time, usage, before, error, onRetry }: Props) {
  const { t } = useTranslation('dashboard')
  const { t: common } = useTranslation()
  const { change } = useUrlState()
  const names = useMetricNames(view)
  const { metric } = view
  // A custom range starts with the range on the screen.
  const chooseRange = (range: RangeName) => {
    const bounds = range === 'custom' ? { start: span.start, end: span.until } : { start: null, end: null }
    const step = range === 'custom' ? shownStep(view, span) : stepFor(range, defaultStep)
    const isDefault = range === defaultRange({ defaultStep })
    change({ range: isDefault ? null : range, step: step === stepFor(range, defaultStep) ? null : step, ...bounds })
  }
  return (
    <section className={styles.usage} aria-label={t('usage.title')}>
      <div className={styles.usageSwitches}>
        <Segmented<Metric>
          aria-label={t('filters.metric')}
          value={metric}
          onChange={(chosen) => change({ metric: chosen === 'quota' ? null : chosen })}
          options={METRICS.map((name) => ({ value: name, label: names[name] }))}
        />
        <Segmented<RangeName>
          aria-label={t('filters.range')}
          className={styles.ranges}
          value={view.range}
          onChange={chooseRange}
          options={RANGES.map((range) => ({ value: range, label: t(`ranges.${range}`) }))}
        />
      </div>
      {view.range === 'custom' && (
        <Suspense>
          <CustomRange span={span} onChange={change} />
        </Suspense>
      )}
      {body()}
    </section>
  )

  function body() {
    if (error && !usage) return <LoadError title={common('errors.loadFailed')} error={error} onRetry={onRetry} />
    if (!usage) return <LoadingUsage />
    if (usage.total.requests === 0) return <NoUsage scope={view.scope} username={view.username} />
    return (
      <UsageBody
        {...{ view, span, time, usage, before }}
        step={
          <Segmented<TimeStep>
            size="small"
            aria-label={t('filters.step')}
            value={shownStep(view, span)}
            onChange={(step) => change({ step: step === stepFor(view.range, defaultStep) ? null : step })}
            options={TIME_STEPS.map((step) => ({
              value: step,
              label: t(`steps.${step}`),
              disabled: step === 'hour' && isLong(span),
            }))}
          />
        }
        onPickDay={(start) => change({ range: 'custom', step: 'hour', start, end: start + 86_399 })}
      />
    )
  }
}

interface BodyProps extends Pick<Props, 'view' | 'span' | 'time' | 'before'> {
  usage: Usage
  step: React.ReactNode
  onPickDay(start: number): void
}

function UsageBody({ view, span, time, usage, before, step, onPickDay }: BodyProps) {
  const { t } = useTranslation('dashboard')
  const [asTable, setAsTable] = useState(false)
  const [hovered, setHovered] = useState<number | null>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const mode = useThemeMode((state) => state.mode)
  const { metric } = view
  const title = useMetricNames(view)[metric]
  const format = metricFormat(metric)
  const names = useMemo(
    () =>
      usage.starts.map((start) => {
        const [step, from, until] = [stepName(start, time), partialFrom(start, time), partialUntil(start, time)]
        if (from !== '') return t('fromHour', { step, hour: from })
        return until === '' ? step : t('untilHour', { step, hour: until })
      }),
    [usage, time, t],
  )
  const option = useMemo(() => {
    const palette = PALETTES[mode]
    const { plot, write, writeAxis } = metricFormat(metric)
    const bands = usage.series.map((series, index) => ({
      ...series,
      name: series.model === null ? t('otherModels') : series.model || t('unnamedModel'),
      color: seriesColor(palette, series.model === null ? TOP_MODELS : index),
    }))
    const labelled = labelledHours(usage.starts, time.inUtc)
    const manyHours = time.step === 'hour' && usage.starts.length > MANY_HOURS
    return stackedChartOption(
      {
        ticks: usage.starts.map((start) => stepTick(start, time)),
        ...(manyHours && { isTicked: (index: number) => labelled.has(index) }),
        series: bands.map(({ name, color, steps }) => ({
          name,
          color,
          values: steps.map((sums) => plot(sums[metric])),
        })),
        isPartial: (index) => names[index] !== stepName(usage.starts[index]!, time),
        wholeNumbers: metric !== 'quota',
        formatAxis: writeAxis,
        describe(index) {
          const values = bands.map(({ name, color, steps }) => ({ name, color, amount: steps[index]?.[metric] ?? 0 }))
          const used = values.filter(({ amount }) => amount > 0)
          const total = used.reduce((sum, { amount }) => sum + amount, 0)
          const lines = used.map(({ name, color, amount }) => ({ name, color, value: write(amount) }))
          return tooltipBox(names[index] ?? '', lines, { name: t('total'), value: write(total) })
        },
      },
      palette,
    )
  }, [usage, time, metric, mode, names, t])
  return (
    <>
      <div className={styles.usageTotal}>
        <span className={`number ${styles.figureValue}`}>{format.write(usage.total[metric])}</span>
        <TotalChange now={usage.total[metric]} before={before?.[metric]} />
        <span className={styles.usageTools}>
          {step}
          <Tooltip title={asTable ? t('asChart') : t('asTable')}>
            <Button
              size="small"
              type="text"
              aria-pressed={asTable}
              aria-label={t('asTableOf', { title })}
              icon={asTable ? <AreaChartOutlined aria-hidden /> : <TableOutlined aria-hidden />}
              onClick={() => setAsTable(!asTable)}
            />
          </Tooltip>
        </span>
      </div>
      {asTable ? (
        <StepTable usage={usage} metric={metric} names={names} label={title} />
      ) : (
        <Chart
          label={summary()}
          height={CHART_HEIGHT}
          option={option}
          highlighted={hovered}
          onHover={setPointed}
          {...(time.step === 'day' && !time.inUtc && { onPick: (index) => onPickDay(usage.starts[index]!) })}
        />
      )}
      <ModelTable view={view} span={span} usage={usage} highlighted={pointed} onHover={setHovered} />
    </>
  )

  function summary(): string {
    const sums = names.map((name, index) => ({
      name,
      value: usage.series.reduce((sum, { steps }) => sum + steps[index]![metric], 0),
    }))
    const highest = sums.reduce((best, sum) => (sum.value > best.value ? sum : best), { name: '', value: 0 })
    if (highest.value === 0) return t('summaryIdle', { title })
    const total = sums.reduce((all, { value }) => all + value, 0)
    return t('summary', {
      title,
      total: format.write(total),
      highest: format.write(highest.value),
      when: highest.name,
    })
  }
}

function LoadingUsage() {
  return (
    <div aria-hidden>
      <div className={styles.usageTotal}>
        <SkeletonBlock className={styles.blankTotal} />
      </div>
      <div style={{ height: CHART_HEIGHT }}>
        <SkeletonBlock className={styles.blank} />
      </div>
      <SkeletonLines lines={5} className={styles.blankRows} />
    </div>
  )
}
