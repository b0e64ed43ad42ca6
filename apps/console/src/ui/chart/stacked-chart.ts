import type { Palette } from '../../lib/theme/palette.ts'
import type { ChartOption } from './chart.tsx'
import { chartStyle } from './style.ts'

export interface AreaSeries {
  name: string
  color: string
  values: readonly number[]
}

export interface StackedArea {
  /** Labels of the time axis. */
  ticks: readonly string[]
  /** Selects the labels to draw; by default as many as fit. */
  isTicked?: (index: number) => boolean
  /** The first is at the bottom. */
  series: readonly AreaSeries[]
  wholeNumbers: boolean
  formatAxis(value: number): string
  describe(index: number): HTMLElement
}

/** An area needs several points to be visible. */
const MIN_POINTS = 3

/** Values over time, stacked. Few points are drawn as bars. */
export function stackedAreaOption(chart: StackedArea, palette: Palette): ChartOption {
  const { ticks, series, isTicked } = chart
  const style = chartStyle(palette)
  const asBars = ticks.length < MIN_POINTS
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
      ...(chart.wholeNumbers && { minInterval: 1 }),
      axisLabel: { ...style.valueAxis.axisLabel, formatter: chart.formatAxis },
    },
    series: series.map(({ name, color, values }) => ({
      name,
      stack: 'all',
      data: values,
      itemStyle: { color },
      emphasis: { focus: 'series' },
      blur: { areaStyle: { opacity: 0.25 }, itemStyle: { opacity: 0.25 } },
      ...(asBars
        ? { type: 'bar', barMaxWidth: 48 }
        : {
            type: 'line',
            symbol: 'none',
            triggerLineEvent: true,
            // A line in the colour of the card separates the bands.
            lineStyle: { width: 1, color: palette.surface },
            areaStyle: { color, opacity: 1 },
          }),
    })),
  }
}
