import type { ReactNode } from 'react'
import { StatusTag, type Tone } from '../ui/feedback/status-tag.tsx'

/** A price multiplier in the colour of its band: above 5, above 3, above 1, or at most 1. */
export function RatioTag({ ratio, children }: { ratio: number; children: ReactNode }) {
  return (
    <StatusTag tone={toneOf(ratio)} plain>
      {children}
    </StatusTag>
  )
}

function toneOf(ratio: number): Tone {
  if (ratio > 5) return 'bad'
  if (ratio > 3) return 'warn'
  return ratio > 1 ? 'info' : 'good'
}
