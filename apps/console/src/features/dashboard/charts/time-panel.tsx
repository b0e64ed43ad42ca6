import { BarChartOutlined, TableOutlined } from '@ant-design/icons'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PALETTES } from '../../../lib/theme/palette.ts'
import { useThemeMode } from '../../../lib/theme/theme-mode.ts'
import { Chart } from '../../../ui/chart.tsx'
import { Button, Tooltip } from '../../../ui/kit/index.ts'
import { metricWords } from '../data/metrics.ts'
import { cutAt, namedHours, stepName, stepTick } from '../data/step-words.ts'
import type { Metric, Usage } from '../data/usage.ts'
import type { ShownTime } from '../shown-time.ts'
import type { ModelLook } from './model-look.ts'
import { Panel } from './panel.tsx'
import { stackOption, type Stack } from './stack-option.ts'
import { StepTable } from './step-table.tsx'

interface Props {
  metric: Metric
  usage: Usage
  time: ShownTime
  look: ModelLook
  /** Models that the reader took off the charts. */
  hidden: ReadonlySet<string | null>
  height: number
  legend?: ReactNode
}

/** Hours of more than two days: their names would not fit, those of the days do. */
const MANY_HOURS = 48

/** One figure over time, by model: as a picture or as the numbers behind it. */
export function TimePanel({ metric, usage, time, look, hidden, height, legend }: Props) {
  const { t } = useTranslation('dashboard')
  const [asTable, setAsTable] = useState(false)
  const mode = useThemeMode((state) => state.mode)
  const stack = useMemo((): Stack => {
    const nameOf = (start: number) => {
      const hour = cutAt(start, time)
      return hour === '' ? stepName(start, time) : t('fromHour', { step: stepName(start, time), hour })
    }
    const manyHours = time.step === 'hour' && usage.starts.length > MANY_HOURS
    const named = namedHours(usage.starts, time.inUtc)
    return {
      metric,
      words: metricWords(metric),
      ticks: usage.starts.map((start) => stepTick(start, time)),
      names: usage.starts.map((start) => nameOf(start)),
      ...(manyHours && { isTicked: (index: number) => named.has(index) }),
      series: usage.series.filter(({ model }) => !hidden.has(model)),
      look,
      total: t('total'),
    }
  }, [metric, usage, time, look, hidden, t])
  const option = useMemo(() => stackOption(stack, PALETTES[mode]), [stack, mode])
  const title = t(`charts.${metric}`)
  return (
    <Panel
      title={title}
      aside={stack.words.write(usage.total[metric])}
      action={
        <Tooltip title={asTable ? t('asChart') : t('asTable')}>
          <Button
            size="small"
            type="text"
            aria-pressed={asTable}
            aria-label={t('asTableOf', { title })}
            icon={asTable ? <BarChartOutlined aria-hidden /> : <TableOutlined aria-hidden />}
            onClick={() => setAsTable(!asTable)}
          />
        </Tooltip>
      }
    >
      {asTable ? (
        <StepTable stack={stack} label={title} height={height} />
      ) : (
        <Chart label={summary()} height={height} option={option} />
      )}
      {legend}
    </Panel>
  )

  function summary(): string {
    const sums = stack.names.map((name, index) => ({
      name,
      value: stack.series.reduce((sum, { steps }) => sum + steps[index]![metric], 0),
    }))
    const highest = sums.reduce((best, sum) => (sum.value > best.value ? sum : best), { name: '', value: 0 })
    if (highest.value === 0) return t('summaryIdle', { title })
    const total = sums.reduce((all, { value }) => all + value, 0)
    const words = { total: stack.words.write(total), highest: stack.words.write(highest.value), when: highest.name }
    return t('summary', { title, ...words })
  }
}
