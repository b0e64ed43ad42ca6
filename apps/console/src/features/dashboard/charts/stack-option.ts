import type { Palette } from '../../../lib/theme/palette.ts'
import { chartStyle } from '../../../ui/chart-style.ts'
import { tooltipBox } from '../../../ui/chart-tooltip.ts'
import type { ChartOption } from '../../../ui/chart.tsx'
import type { MetricWords } from '../data/metrics.ts'
import type { Metric, Series } from '../data/usage.ts'
import type { ModelLook } from './model-look.ts'

export interface Stack {
  metric: Metric
  words: MetricWords
  /** What stands under each bar, and what it is called in full. */
  ticks: readonly string[]
  names: readonly string[]
  /** Which bars have their tick drawn; without it as many as there is room for. */
  isTicked?: (index: number) => boolean
  series: readonly Series[]
  look: ModelLook
  total: string
}

/** Past this many bars a gap between the colours would be wider than they are. */
const FEW_BARS = 62
const LINES = 10

/** Bars over time, one colour on the other. */
export function stackOption(stack: Stack, palette: Palette): ChartOption {
  const { ticks, words, series, metric, look, isTicked } = stack
  const style = chartStyle(palette)
  const gaps = ticks.length <= FEW_BARS
  return {
    textStyle: style.textStyle,
    grid: { left: 4, right: 4, top: 12, bottom: 4, outerBoundsMode: 'same' },
    tooltip: {
      ...style.tooltip,
      trigger: 'axis',
      axisPointer: style.pointer,
      formatter: (points: readonly { dataIndex: number }[]) => describeStep(stack, points[0]?.dataIndex ?? 0),
    },
    xAxis: {
      ...style.categoryAxis,
      data: ticks,
      axisLabel: { ...style.categoryAxis.axisLabel, ...(isTicked && { interval: isTicked }) },
    },
    yAxis: {
      ...style.valueAxis,
      ...(metric !== 'quota' && { minInterval: 1 }),
      axisLabel: { ...style.valueAxis.axisLabel, formatter: words.writeAxis },
    },
    series: series.map(({ model, steps }) => ({
      type: 'bar',
      stack: 'all',
      name: look.nameOf(model),
      data: steps.map((step) => words.plot(step[metric])),
      barMaxWidth: 36,
      barCategoryGap: gaps ? '28%' : '8%',
      itemStyle: {
        color: look.colorOf(model),
        ...(gaps && { borderColor: palette.surface, borderWidth: 0.5, borderRadius: 1.5 }),
      },
      emphasis: { disabled: true },
    })),
  }
}

/** The largest first; models that were not used in a step are not named there. */
function describeStep({ series, metric, words, look, names, total }: Stack, index: number): HTMLElement {
  const used = series
    .map(({ model, steps }) => ({ model, value: steps[index]?.[metric] ?? 0 }))
    .filter(({ value }) => value > 0)
    .toSorted((one, other) => other.value - one.value)
  const lines = used
    .slice(0, LINES)
    .map(({ model, value }) => ({ color: look.colorOf(model), name: look.nameOf(model), value: words.write(value) }))
  const sum = used.reduce((all, { value }) => all + value, 0)
  return tooltipBox(names[index] ?? '', lines, { name: total, value: words.write(sum) })
}
