import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { compact, formatCount, formatSpending } from '../../../lib/format.ts'
import { Ring, type RingPart } from '../../../ui/chart-ring.tsx'
import { Segmented } from '../../../ui/kit/index.ts'
import type { ModelLook } from '../charts/model-look.ts'
import { Panel } from '../charts/panel.tsx'
import styles from '../dashboard.module.css'
import { formatShare, metricWords } from '../data/metrics.ts'
import { METRICS, rankedBy, type Metric, type ModelUse, type Usage } from '../data/usage.ts'
import { RankList } from './rank-list.tsx'

interface Props {
  usage: Usage
  look: ModelLook
}

/** Which models took how much: as a ring, and one by one. */
export function ModelsPanel({ usage, look }: Props) {
  const { t } = useTranslation('dashboard')
  const [metric, setMetric] = useState<Metric>('quota')
  const words = metricWords(metric)
  const models = rankedBy(usage.models, metric)
  const total = usage.total[metric]
  const top = models[0]
  return (
    <Panel
      title={t('models.title')}
      action={
        <Segmented<Metric>
          size="small"
          aria-label={t('models.by')}
          value={metric}
          onChange={setMetric}
          options={METRICS.map((name) => ({ value: name, label: t(`metrics.${name}`) }))}
        />
      }
    >
      <div className={styles.shares}>
        <div className={styles.ring}>
          <Ring
            label={t('models.summary', {
              count: models.length,
              model: look.nameOf(top?.model ?? null),
              share: formatShare(shareOf(top?.[metric] ?? 0, total)),
            })}
            parts={partsOf(usage, metric, look)}
          >
            <span className={`number ${styles.ringTotal}`}>
              {metric === 'quota' ? words.write(total) : compact(total)}
            </span>
            <span className={styles.ringWord}>{t(`metrics.${metric}`)}</span>
          </Ring>
        </div>
        <RankList label={t('models.list')} items={models.map((use) => ranked(use))} />
      </div>
    </Panel>
  )

  function ranked(use: ModelUse) {
    const { model, quota, requests, tokens } = use
    const facts = {
      quota: formatSpending(quota),
      requests: t('facts.requests', { count: requests, written: formatCount(requests) }),
      tokens: t('facts.tokens', { written: compact(tokens) }),
    }
    const others = METRICS.filter((name) => name !== metric).map((name) => facts[name])
    return {
      key: model,
      color: look.colorOf(model),
      swatch: true,
      name: model ? (
        <Link to={`/pricing/${encodeURIComponent(model)}`} className="mono">
          {model}
        </Link>
      ) : (
        look.nameOf(model)
      ),
      value: words.write(use[metric]),
      length: shareOf(use[metric], top?.[metric] ?? 0),
      facts: [formatShare(shareOf(use[metric], total)), ...others].join(' · '),
    }
  }
}

const shareOf = (part: number, whole: number) => (whole > 0 ? part / whole : 0)

/** As the charts over time have them: what has no colour there is one part here. */
function partsOf({ series, total }: Usage, metric: Metric, look: ModelLook): RingPart[] {
  const { write } = metricWords(metric)
  return series
    .map(({ model, steps }) => {
      const value = steps.reduce((sum, step) => sum + step[metric], 0)
      const name = look.nameOf(model)
      const title = `${name} · ${write(value)} · ${formatShare(shareOf(value, total[metric]))}`
      return { key: model ?? '', color: look.colorOf(model), value, title }
    })
    .filter(({ value }) => value > 0)
    .toSorted((one, other) => other.value - one.value)
}
