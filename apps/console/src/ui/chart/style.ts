import { FONT_FAMILY, type Palette } from '../../lib/theme/palette.ts'

/** Shared style of all charts. ECharts draws on a canvas, so CSS does not apply. */
export function chartStyle(palette: Palette) {
  return {
    textStyle: { fontFamily: FONT_FAMILY, fontSize: 12, color: palette.secondary },
    tooltip: {
      backgroundColor: palette.raised,
      borderColor: palette.border,
      borderWidth: 1,
      padding: 0,
      textStyle: { color: palette.text, fontFamily: FONT_FAMILY, fontSize: 12 },
      extraCssText: `box-shadow:${palette.shadow};border-radius:8px;`,
      confine: true,
      transitionDuration: 0,
    },
    categoryAxis: {
      type: 'category' as const,
      axisLine: { lineStyle: { color: palette.border } },
      axisTick: { show: false },
      axisLabel: { color: palette.secondary, fontSize: 11, hideOverlap: true, margin: 10 },
    },
    valueAxis: {
      type: 'value' as const,
      splitNumber: 4,
      minInterval: 0,
      axisLabel: { color: palette.secondary, fontSize: 11 },
      splitLine: { lineStyle: { color: palette.divider } },
    },
    linePointer: { type: 'line' as const, lineStyle: { color: palette.primary, type: 'dashed' as const } },
    shadowPointer: { type: 'shadow' as const, shadowStyle: { color: palette.text, opacity: 0.05 } },
  }
}

/** One sequence for the largest series, and one colour for all others. */
export const seriesColor = (palette: Palette, rank: number): string =>
  [palette.c1, palette.c2, palette.c3, palette.c4, palette.c5][rank] ?? palette.c6
