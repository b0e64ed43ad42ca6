import type { CSSProperties } from 'react'

/** Roughly the width of a label, so that a control has a fixed width in which its label fits. */
export const widthFor = (label: string) => ({ '--label-width': `${labelWidth(label)}px` }) as CSSProperties

const labelWidth = (label: string): number =>
  [...label].reduce((width, letter) => width + (letter > '\u2e7f' ? 14 : 7.2), 0)
