import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { compact, formatColumnPrice, formatCount, sumDecimals } from '../../lib/format.ts'
import styles from './dashboard.module.css'
import {
  formatShare,
  metricFormat,
  shareOf,
  TOP_MODELS,
  type Metric,
  type ModelUsage,
  type Sums,
  type Usage,
} from './usage.ts'
import type { Span, View } from './view.ts'

export const CHART_HEIGHT = 260

interface ModelTableProps {
  view: View
  span: Span
  usage: Usage
  /** Index of the band under the pointer. */
  highlighted: number | null
  onHover(series: number | null): void
}

/** The models of the chart, also its legend. A name opens the logs of that model. */
export function ModelTable({ view, span, usage, highlighted, onHover }: ModelTableProps) {
  const { t } = useTranslation('dashboard')
  const names = useMetricNames(view)
  const [isExpanded, setExpanded] = useState(false)
  const { metric } = view
  const total = usage.total[metric]
  const hasOthers = usage.models.length > TOP_MODELS
  const rows: (ModelUsage | (Sums & { model: null }))[] = usage.models.slice(0, isExpanded ? undefined : TOP_MODELS)
  const others = usage.series.find(({ model }) => model === null)
  const decimals = sumDecimals(usage.total.quota)
  if (!isExpanded && others) rows.push({ ...others, model: null })
  return (
    <div className={styles.tableScroll}>
      <table className={styles.models} aria-label={t('models.list')}>
        <thead>
          <tr>
            <th scope="col">{t('models.model')}</th>
            <th scope="col">{names.quota}</th>
            <th scope="col" className={styles.share}>
              {t('models.share')}
            </th>
            <th scope="col">{names.requests}</th>
            <th scope="col" className={styles.wide}>
              {names.tokens}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const band = Math.min(index, TOP_MODELS)
            const share = shareOf(row[metric], total)
            return (
              <tr
                key={row.model ?? 0}
                data-highlighted={band === highlighted || undefined}
                onMouseEnter={() => onHover(band < usage.series.length ? band : null)}
                onMouseLeave={() => onHover(null)}
              >
                <th scope="row">
                  <span className={styles.modelName}>
                    <span className={styles.swatch} style={{ background: `var(--c${band + 1})` }} aria-hidden />
                    {row.model === null ? (
                      <button type="button" className={styles.expand} onClick={() => setExpanded(true)}>
                        {t('models.others', { count: usage.models.length - TOP_MODELS })}
                      </button>
                    ) : (
                      nameOf(row.model)
                    )}
                  </span>
                </th>
                <td>{formatColumnPrice(row.quota, decimals)}</td>
                <td className={styles.share}>
                  <span className={styles.shareBar}>
                    <span style={{ width: `${share * 100}%`, background: `var(--c${band + 1})` }} />
                  </span>
                  <span className={styles.shareText}>{formatShare(share)}</span>
                </td>
                <td>{formatCount(row.requests)}</td>
                <td className={styles.wide}>{compact(row.tokens)}</td>
              </tr>
            )
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">
              {t('total')}
              {isExpanded && hasOthers && (
                <button type="button" className={styles.expand} onClick={() => setExpanded(false)}>
                  {t('showFewer')}
                </button>
              )}
            </th>
            <td>{formatColumnPrice(usage.total.quota, decimals)}</td>
            <td className={styles.share}>{formatShare(1)}</td>
            <td>{formatCount(usage.total.requests)}</td>
            <td className={styles.wide}>{compact(usage.total.tokens)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )

  function nameOf(model: string) {
    if (model === '') return t('unnamedModel')
    const search = new URLSearchParams({
      model,
      ...(view.scope === 'user' && { username: view.username }),
      range: 'custom',
      start: String(span.start),
      end: String(span.end),
    })
    return (
      <Link to={`/app/logs/api-usage?${search}`} className="mono" title={model}>
        {model}
      </Link>
    )
  }
}

interface StepTableProps {
  usage: Usage
  metric: Metric
  names: readonly string[]
  label: string
}

/** The values of the chart, newest first. */
export function StepTable({ usage, metric, names, label }: StepTableProps) {
  const { t } = useTranslation('dashboard')
  const { write } = metricFormat(metric)
  const rows = names.map((name, index) => ({ name, values: usage.series.map(({ steps }) => steps[index]![metric]) }))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll area must be reachable by keyboard
    <section className={styles.stepTable} style={{ height: CHART_HEIGHT }} tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('time')}</th>
            <th scope="col">{t('total')}</th>
            {usage.series.map(({ model }) => (
              <th key={model ?? 0} scope="col" className="mono">
                {model === null ? t('otherModels') : model || t('unnamedModel')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map(({ name, values }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{write(values.reduce((sum, value) => sum + value, 0))}</td>
              {values.map((value, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- the columns keep their positions
                <td key={index}>{value === 0 ? '–' : write(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The amount is revenue for the operator and spending for a user. */
export function useMetricNames({ scope }: Pick<View, 'scope'>): Record<Metric, string> {
  const { t } = useTranslation('dashboard')
  return {
    quota: t(scope === 'site' ? 'metrics.revenue' : 'metrics.quota'),
    requests: t('metrics.requests'),
    tokens: t('metrics.tokens'),
  }
}
