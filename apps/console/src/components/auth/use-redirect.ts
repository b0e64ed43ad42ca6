import type { RedirectService } from '@tidegate/contract/api'
import { useEffect, useState } from 'react'
import { stored } from '../../lib/stored.ts'
import { useStartSignIn } from './queries.ts'
import { beginRoundTrip } from './round-trip.ts'

/** Sends the browser to a service, which sends it back to a page of ours. */
export function useRedirect(returnTo: string) {
  const start = useStartSignIn()
  const [leavingFor, setLeavingFor] = useState<RedirectService | null>(null)

  // Back from the service by the browser's own button: the page is shown as it was left, waiting for nothing.
  useEffect(() => {
    const stay = () => setLeavingFor(null)
    window.addEventListener('pageshow', stay)
    return () => window.removeEventListener('pageshow', stay)
  }, [])

  const to = (service: RedirectService) => {
    setLeavingFor(service)
    const aff = stored.inviteCode.get()
    start.mutate(
      { service, intent: 'login', ...(aff && { aff }) },
      {
        onSuccess({ url }) {
          beginRoundTrip({ intent: 'login', returnTo })
          window.location.assign(url)
        },
        onError: () => setLeavingFor(null),
      },
    )
  }
  return { to, leavingFor, error: start.error }
}
