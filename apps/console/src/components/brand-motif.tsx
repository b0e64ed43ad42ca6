import { useId } from 'react'

interface Props {
  /** `empty`: pale outer bars. `clear`: full bars and a higher water level. */
  state: 'empty' | 'clear'
}

/** The logo as an illustration for empty states. */
export function BrandMotif({ state }: Props) {
  const fade = useId()
  const outer = state === 'clear' ? 1 : 0.35
  const level = state === 'clear' ? 52 : 58
  const wave = `M0 ${level}c20 -8 34 8 54 4s30 -12 50 -6s24 10 56 0`
  return (
    <svg width="160" height="80" viewBox="0 0 160 80" aria-hidden focusable="false">
      <defs>
        <linearGradient id={fade}>
          <stop offset="0" stopColor="var(--primary)" stopOpacity="0" />
          <stop offset="0.5" stopColor="var(--primary)" stopOpacity="0.16" />
          <stop offset="1" stopColor="var(--primary)" stopOpacity="0" />
        </linearGradient>
      </defs>
      <g fill="var(--primary)">
        <rect x="60" y="22" width="10" height="44" rx="5" opacity={outer} />
        <rect x="75" y="8" width="10" height="36" rx="5" />
        <rect x="90" y="22" width="10" height="44" rx="5" opacity={outer} />
      </g>
      <path d={`${wave}V80H0Z`} fill={`url(#${fade})`} />
      <path d={wave} fill="none" stroke={`url(#${fade})`} strokeWidth="1.5" />
    </svg>
  )
}

const BARS = 120
const BAR_STEP = 12
const EDGE_HEIGHT = 96

/** A decorative row of bars for the edge of a section. */
export function TideEdge({ className }: { className?: string | undefined }) {
  return (
    <svg
      className={className}
      viewBox={`0 0 ${BARS * BAR_STEP} ${EDGE_HEIGHT}`}
      preserveAspectRatio="xMidYMax slice"
      aria-hidden
      focusable="false"
      fill="var(--primary)"
    >
      {Array.from({ length: BARS }, (_, index) => {
        const isRaised = index % 3 === 1
        const height = 52 + 18 * Math.sin(index / 9) + 10 * Math.sin(index / 3.7)
        return (
          <rect
            key={index}
            x={index * BAR_STEP + 3}
            y={EDGE_HEIGHT - height - (isRaised ? 10 : 0)}
            width="6"
            height={isRaised ? height - 2 : height + 6}
            rx="3"
            opacity={isRaised ? 0.18 : 0.09}
          />
        )
      })}
    </svg>
  )
}
