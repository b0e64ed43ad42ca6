import type { SIGN_IN_INTENTS } from '@tidegate/contract/api'
import { returnPath } from '../../lib/return-path.ts'

/** What this tab wanted when it left for another service. Another tab, or a link from elsewhere, knows nothing of it. */
export interface RoundTrip {
  intent: (typeof SIGN_IN_INTENTS)[number]
  /** A path of the console. */
  returnTo: string
}

const NAME = 'sign-in-round-trip'

export function beginRoundTrip(trip: RoundTrip): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(trip))
  } catch {
    // Storage is blocked: the person comes back all the same, only to the first screen.
  }
}

/** Null for a tab that did not leave from here. */
export function currentRoundTrip(): RoundTrip | null {
  try {
    const trip = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as Partial<RoundTrip> | null
    if (trip === null || (trip.intent !== 'login' && trip.intent !== 'bind')) return null
    return { intent: trip.intent, returnTo: returnPath(trip.returnTo ?? null) }
  } catch {
    return null
  }
}

export function endRoundTrip(): void {
  try {
    sessionStorage.removeItem(NAME)
  } catch {
    // Nothing was kept, then.
  }
}
