import { FONT_FAMILY, type Palette } from '../lib/theme/palette.ts'

/** Looks that all charts share. The library draws on a canvas, where no style sheet reaches. */
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
    pointer: { type: 'shadow' as const, shadowStyle: { color: palette.text, opacity: 0.05 } },
  }
}
