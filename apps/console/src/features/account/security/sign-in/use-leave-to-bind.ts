import type { RedirectService } from '@tidegate/contract/api'
import { useEffect, useState } from 'react'
import { beginRoundTrip, type RoundTrip } from '../../../../components/auth/round-trip.ts'
import { useStartBinding } from '../queries.ts'

/** The person comes back to where they left. */
export const BIND_TRIP: RoundTrip = { intent: 'bind', returnTo: '/app/me?tab=security' }

/** Sends the browser to a service, which sends it back with what binds the account. */
export function useLeaveToBind(service: RedirectService) {
  const start = useStartBinding()
  const [isLeaving, setLeaving] = useState(false)

  // Back from the service by the browser's own button: the page is shown as it was left, waiting for nothing.
  useEffect(() => {
    const stay = () => setLeaving(false)
    window.addEventListener('pageshow', stay)
    return () => window.removeEventListener('pageshow', stay)
  }, [])

  const leave = () => {
    setLeaving(true)
    start.mutate(service, {
      onSuccess({ url }) {
        beginRoundTrip(BIND_TRIP)
        window.location.assign(url)
      },
      onError: () => setLeaving(false),
    })
  }
  return { isLeaving, leave }
}
