import * as api from '@tidegate/contract/api'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../api/client.ts'
import { returnPath } from '../../lib/return-path.ts'
import { stored } from '../../lib/stored.ts'

/** Why this tab left for a sign-in service. Other tabs, and links from other sites, cannot read it. */
export interface PendingRedirect {
  intent: (typeof api.SIGN_IN_INTENTS)[number]
  /** A path of the console. */
  returnTo: string
}

const STORAGE_KEY = 'sign-in-round-trip'

export function savePendingRedirect(redirect: PendingRedirect): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(redirect))
  } catch {
    // Storage is blocked. The sign-in works, but ends on the default page.
  }
}

/** Null if this tab did not start a redirect. */
export function readPendingRedirect(): PendingRedirect | null {
  try {
    const redirect = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as Partial<PendingRedirect> | null
    if (redirect === null || (redirect.intent !== 'login' && redirect.intent !== 'bind')) return null
    return { intent: redirect.intent, returnTo: returnPath(redirect.returnTo ?? null) }
  } catch {
    return null
  }
}

export function clearPendingRedirect(): void {
  try {
    sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    // Storage is blocked, so nothing was saved.
  }
}

/** Sends the browser to a service, which redirects back to `/oauth/<service>`. */
export function useServiceRedirect(redirect: PendingRedirect) {
  const [service, setService] = useState<api.RedirectService | null>(null)
  const start = useMutation({
    mutationFn: (name: api.RedirectService) => {
      const aff = redirect.intent === 'login' ? stored.inviteCode.get() : null
      return call(api.startSignIn, { body: { service: name, intent: redirect.intent, ...(aff && { aff }) } })
    },
    // The sign-in form shows errors itself.
    meta: { showsErrors: redirect.intent === 'login' },
  })
  const redirectTo = (name: api.RedirectService) => {
    setService(name)
    start.mutate(name, {
      onSuccess({ url }) {
        savePendingRedirect(redirect)
        window.location.assign(url)
      },
      onError: () => setService(null),
    })
  }

  // The browser's back button restores the page as it was left, with a busy button.
  useEffect(() => {
    const reset = () => setService(null)
    window.addEventListener('pageshow', reset)
    return () => window.removeEventListener('pageshow', reset)
  }, [])

  return { redirectTo, service, error: start.error }
}
