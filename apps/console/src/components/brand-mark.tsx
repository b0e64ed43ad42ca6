/** The logo: three bars, with the middle one raised. */
export function BrandMark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="var(--primary)" aria-hidden focusable="false">
      <rect x="4" y="7" width="6" height="22" rx="3" />
      <rect x="13" y="2" width="6" height="18" rx="3" />
      <rect x="22" y="7" width="6" height="22" rx="3" />
    </svg>
  )
}
