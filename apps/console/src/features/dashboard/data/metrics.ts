import { compact, dollars, formatCallPrice, formatCount, formatSpending, moneyRules } from '../../../lib/format.ts'
import type { Metric } from './usage.ts'

/** How a figure is drawn and written. */
export interface MetricWords {
  /** What the axis counts in: round steps of dollars are not round steps of quota. */
  plot(value: number): number
  /** Whole, beside a pointer or in a table. */
  write(value: number): string
  writeAxis(plotted: number): string
}

const PLAIN: MetricWords = { plot: (value) => value, write: formatCount, writeAxis: compact }

/** Read anew for every drawing: the site may change how it shows money. */
export function metricWords(metric: Metric): MetricWords {
  if (metric !== 'quota') return PLAIN
  const { inCurrency, quotaPerUnit } = moneyRules()
  if (!inCurrency) return { ...PLAIN, write: formatCallPrice }
  return {
    plot: (quota) => quota / quotaPerUnit,
    write: formatSpending,
    writeAxis: (amount) => dollars(amount, 0, 6),
  }
}

/** `12.3%`; a share that is there but tiny does not read as none. */
export function formatShare(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 0.1) return '<0.1%'
  return `${percent.toFixed(1)}%`
}
