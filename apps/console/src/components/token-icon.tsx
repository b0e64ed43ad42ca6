/** A key with two teeth. That of the icon set looks like a magnifier at the size of a menu. */
export const TokenIcon = () => (
  <svg viewBox="0 0 16 16" width="1em" height="1em" fill="none" stroke="currentColor" strokeWidth="1.3" aria-hidden>
    <circle cx="4.6" cy="8" r="2.9" />
    <path d="M7.5 8h7M10.7 8v2.8M13.7 8v2.2" strokeLinecap="square" />
  </svg>
)
