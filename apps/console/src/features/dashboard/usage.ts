import type { TimeStep, UsageSum } from '@tidegate/contract/api'
import { dollars, formatCallPrice, formatCount, formatSpending, moneyRules } from '../../lib/format.ts'
import { stepsBetween, type Calendar } from './time-steps.ts'
import { decimalsOfStep, type ValueAxis } from '../../ui/chart/value-axis.ts'

export interface Sums {
  quota: number
  requests: number
  tokens: number
}

export const METRICS = ['quota', 'requests', 'tokens'] as const
export type Metric = (typeof METRICS)[number]

export interface ModelUsage extends Sums {
  model: string
}

/** One band of the chart. The model is null for all models outside the top five. */
export interface Series extends Sums {
  model: string | null
  /** One entry per step. */
  steps: Sums[]
}

export interface Usage {
  /** Start of each step, oldest first, including steps without usage. */
  starts: number[]
  /** Largest first by the metric; other models last. */
  series: Series[]
  /** All models, largest first by the metric. */
  models: ModelUsage[]
  total: Sums
}

interface Frame {
  calendar: Calendar
  step: TimeStep
  metric: Metric
  /** Unix seconds. */
  start: number
  until: number
}

export const TOP_MODELS = 5

/** Sums the rows of the server by the steps of a calendar. */
export function usageOf(rows: readonly UsageSum[], { calendar, step, metric, start, until }: Frame): Usage {
  const starts = stepsBetween(calendar, step, start, until)
  const places = new Map(starts.map((at, index) => [at, index]))
  const models = sortBy(sumByModel(rows), metric)
  const newSeries = (model: string | null): Series => ({ model, ...noUsage(), steps: starts.map(noUsage) })
  const top = new Map(models.slice(0, TOP_MODELS).map(({ model }) => [model, newSeries(model)]))
  const others = newSeries(null)
  for (const row of rows) {
    const series = top.get(row.model_name) ?? others
    const place = places.get(calendar.startOf(row.created_at, step))
    if (place === undefined) continue
    add(series, row)
    add(series.steps[place]!, row)
  }
  const hasOthers = models.length > TOP_MODELS
  return { starts, series: [...top.values(), ...(hasOthers ? [others] : [])], models, total: totalOf(rows) }
}

export function totalOf(rows: readonly UsageSum[]): Sums {
  const total = noUsage()
  for (const row of rows) add(total, row)
  return total
}

/** Sums of all series per step. */
export function totalsByStep({ starts, series }: Pick<Usage, 'starts' | 'series'>): Sums[] {
  return starts.map((_, index) => {
    const total = noUsage()
    for (const { steps } of series) {
      const { quota, requests, tokens } = steps[index]!
      add(total, { quota, count: requests, token_used: tokens })
    }
    return total
  })
}

/** Largest first; equal rows by requests, so that free models are sorted as well. */
export function sortBy<Row extends Sums>(rows: readonly Row[], metric: Metric): Row[] {
  return rows.toSorted((one, other) => other[metric] - one[metric] || other.requests - one.requests)
}

/** Relative change, 0.5 for an increase by half; null without an earlier value. */
export const growth = (now: number, before: number): number | null => (before > 0 ? now / before - 1 : null)

/** Average quota of a request; null without requests. */
export const averageCost = ({ quota, requests }: Sums): number | null => (requests > 0 ? quota / requests : null)

export const shareOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)

const noUsage = (): Sums => ({ quota: 0, requests: 0, tokens: 0 })

function sumByModel(rows: readonly UsageSum[]): ModelUsage[] {
  const models = new Map<string, ModelUsage>()
  for (const row of rows) {
    const known = models.get(row.model_name) ?? { model: row.model_name, ...noUsage() }
    models.set(row.model_name, known)
    add(known, row)
  }
  return [...models.values()]
}

function add(sums: Sums, { quota, count, token_used }: Pick<UsageSum, 'quota' | 'count' | 'token_used'>): void {
  sums.quota += quota
  sums.requests += count
  sums.tokens += token_used
}

/** How a metric is plotted and written. */
export interface MetricFormat {
  /** The value on the axis: round steps in dollars are not round steps in quota. */
  plot(value: number): number
  write(value: number): string
  /** All labels of an axis have the same unit and decimals. */
  writeAxis(plotted: number, axis: ValueAxis): string
}

const COUNT: MetricFormat = {
  plot: (value) => value,
  write: formatCount,
  writeAxis(value, { step, top }) {
    if (value === 0) return '0'
    const [size, unit] = UNITS.find(([from]) => top >= Math.max(from, 10_000)) ?? [1, '']
    return unit === '' ? formatCount(value) : `${(value / size).toFixed(decimalsOfStep(step / size))}${unit}`
  },
}

const UNITS = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** Not cached, because the operator can change the display currency. */
export function metricFormat(metric: Metric): MetricFormat {
  if (metric !== 'quota') return COUNT
  const { inCurrency, quotaPerUnit } = moneyRules()
  if (!inCurrency) return { ...COUNT, write: formatCallPrice }
  return {
    plot: (quota) => quota / quotaPerUnit,
    write: formatSpending,
    writeAxis(amount, { step }) {
      const decimals = decimalsOfStep(step)
      return dollars(amount, decimals === 1 ? 2 : decimals, decimals === 1 ? 2 : decimals)
    },
  }
}

/** `12.3%`. A tiny share is not written as zero. */
export function formatShare(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 0.1) return '<0.1%'
  return `${percent.toFixed(1)}%`
}

/** `820 ms`, `1.84 s`; `–` if unknown. */
export function formatMilliseconds(milliseconds: number | null | undefined): string {
  if (milliseconds === null || milliseconds === undefined) return '–'
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(2)} s`
}
