import type { TimeStep, UsageSum } from '@tidegate/contract/api'
import { COLOURED_MODELS } from '../../../lib/model-colors.ts'
import { stepsBetween, type Calendar } from './calendar.ts'

export interface Sums {
  quota: number
  requests: number
  tokens: number
}

export const METRICS = ['quota', 'requests', 'tokens'] as const
export type Metric = (typeof METRICS)[number]

export interface ModelUse extends Sums {
  model: string
}

/** One colour of the charts: a model, or under null all that have none of their own. */
export interface Series {
  model: string | null
  /** One for each step. */
  steps: Sums[]
}

export interface Usage {
  /** When each step begins, oldest first; steps without use are there too. */
  starts: number[]
  series: Series[]
  /** All models, the dearest first. */
  models: ModelUse[]
  total: Sums
}

interface Frame {
  calendar: Calendar
  step: TimeStep
  /** Unix seconds. */
  start: number
  until: number
}

/** Puts the server's rows into the steps of a calendar. */
export function usageOf(rows: readonly UsageSum[], { calendar, step, start, until }: Frame): Usage {
  const starts = stepsBetween(calendar, step, start, until)
  const places = new Map(starts.map((at, index) => [at, index]))
  const models = modelsOf(rows)
  const own = models.slice(0, COLOURED_MODELS)
  const series = new Map<string | null, Series>()
  const seriesOf = (model: string | null) => {
    const known = series.get(model) ?? { model, steps: starts.map(nothing) }
    series.set(model, known)
    return known
  }
  for (const { model } of own) seriesOf(model)
  for (const row of rows) {
    const place = places.get(calendar.startOf(row.created_at, step))
    if (place === undefined) continue
    const known = series.has(row.model_name) ? row.model_name : null
    add(seriesOf(known).steps[place]!, row)
  }
  return { starts, series: [...series.values()], models, total: totalOf(rows) }
}

export function totalOf(rows: readonly UsageSum[]): Sums {
  const total = nothing()
  for (const row of rows) add(total, row)
  return total
}

/** Best first; where all is free, the most asked. */
export function rankedBy<Row extends Sums>(rows: readonly Row[], metric: Metric): Row[] {
  return rows.toSorted((one, other) => other[metric] - one[metric] || other.requests - one.requests)
}

/** How much more than before, 0.5 for half as much again; null when there was nothing before. */
export const growth = (now: number, before: number): number | null => (before > 0 ? now / before - 1 : null)

/** What a request cost on average; null without any. */
export const averageCost = ({ quota, requests }: Sums): number | null => (requests > 0 ? quota / requests : null)

export const nothing = (): Sums => ({ quota: 0, requests: 0, tokens: 0 })

function modelsOf(rows: readonly UsageSum[]): ModelUse[] {
  const models = new Map<string, ModelUse>()
  for (const row of rows) {
    const known = models.get(row.model_name) ?? { model: row.model_name, ...nothing() }
    models.set(row.model_name, known)
    add(known, row)
  }
  return rankedBy([...models.values()], 'quota')
}

function add(sums: Sums, { quota, count, token_used }: UsageSum): void {
  sums.quota += quota
  sums.requests += count
  sums.tokens += token_used
}
