import type { Palette } from '../../lib/theme/palette.ts'
import type { ChartOption } from './chart.tsx'
import { chartStyle } from './style.ts'
import { valueAxis, type ValueAxis } from './value-axis.ts'

export interface StackedSeries {
  name: string
  color: string
  values: readonly number[]
}

export interface StackedChart {
  /** Labels of the time axis. */
  ticks: readonly string[]
  /** Selects the labels to draw; by default as many as fit. */
  isTicked?: (index: number) => boolean
  /** From bottom to top. */
  series: readonly StackedSeries[]
  /** Steps that are not complete, such as the current hour. Their bars are paler. */
  isPartial?: (index: number) => boolean
  wholeNumbers: boolean
  formatAxis(value: number, axis: ValueAxis): string
  describe(index: number): HTMLElement
}

/** More bars than this are thinner than the gaps between them. */
const MAX_BARS = 200
const MANY_BARS = 60
const PARTIAL_OPACITY = 0.45

/** Values over time, stacked: bars, or areas where there are too many steps for bars. */
export function stackedChartOption(chart: StackedChart, palette: Palette): ChartOption {
  const { ticks, series, isTicked, isPartial } = chart
  const style = chartStyle(palette)
  const asBars = ticks.length <= MAX_BARS
  const axis = valueAxis(largestSum(chart), chart.wholeNumbers)
  return {
    textStyle: style.textStyle,
    grid: { left: 4, right: 16, top: 12, bottom: 4, outerBoundsMode: 'same' },
    tooltip: {
      ...style.tooltip,
      trigger: 'axis',
      axisPointer: asBars ? style.shadowPointer : style.linePointer,
      formatter: (points: readonly { dataIndex: number }[]) => chart.describe(points[0]?.dataIndex ?? 0),
    },
    xAxis: {
      ...style.categoryAxis,
      boundaryGap: asBars,
      data: ticks,
      axisLabel: { ...style.categoryAxis.axisLabel, ...(isTicked && { interval: isTicked }) },
    },
    yAxis: {
      ...style.valueAxis,
      ...(axis && { interval: axis.step, max: axis.top }),
      axisLabel: {
        ...style.valueAxis.axisLabel,
        ...(axis && { formatter: (value: number) => chart.formatAxis(value, axis) }),
      },
    },
    series: series.map(({ name, color, values }) => ({
      name,
      stack: 'all',
      data: values.map((value, index) =>
        asBars && isPartial?.(index) ? { value, itemStyle: { opacity: PARTIAL_OPACITY } } : value,
      ),
      itemStyle: { color },
      emphasis: { focus: 'series' },
      blur: { areaStyle: { opacity: 0.25 }, itemStyle: { opacity: 0.25 } },
      ...(asBars
        ? { type: 'bar', barMaxWidth: 48, barCategoryGap: ticks.length > MANY_BARS ? '10%' : '24%' }
        : {
            type: 'line',
            symbol: 'none',
            triggerLineEvent: true,
            // A line in the background colour separates the areas.
            lineStyle: { width: 1, color: palette.surface },
            areaStyle: { color, opacity: 1 },
          }),
    })),
  }
}

/** The largest sum of one step. */
function largestSum({ ticks, series }: StackedChart): number {
  return Math.max(0, ...ticks.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)))
}
