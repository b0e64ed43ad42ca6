/** What every way to prove needs. */
export interface WayProps {
  /** The dialog stands and has the focus, which is now for the way to take. */
  isReady: boolean
  onProved(): void
}
