import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, ScrollRestoration, useLocation } from 'react-router'
import { ProofHost } from '../components/reauth/proof-host.tsx'
import { useSession } from '../api/session.ts'
import { DEFAULT_NAME, statusQuery } from '../api/status.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { hasAccess, redirectFor } from './guards.ts'
import { NavigationProgress } from './late-screen.tsx'
import { PaletteHost } from './palette/palette-host.tsx'
import { ShortcutHost } from './shortcuts/shortcut-host.tsx'
import { Shell } from './shell/shell.tsx'
import { NoAccess } from './no-access.tsx'
import { ServerAway } from './server-away.tsx'
import { useScreen } from './use-screen.ts'

/** Shows the screen in its shell, redirects, or says that the user has no access or the server is unreachable. */
export function AppRoot() {
  const { pathname, search } = useLocation()
  const screen = useScreen()
  const status = useQuery(statusQuery)
  const session = useSession()
  useTitle(screen.title, status.data?.system_name)

  if (!status.data) return <ServerAway error={status.error} retrying={status.isFetching} onRetry={status.refetch} />

  const elsewhere = redirectFor({ pathname, search, guard: screen.guard }, status.data, session)
  if (elsewhere !== null) return <Navigate replace to={elsewhere} />
  return (
    <>
      <Shell>
        {hasAccess(session.user, screen.guard) ? <Outlet /> : <NoAccess />}
        <ScrollRestoration />
      </Shell>
      <NavigationProgress />
      <ConnectionBanner />
      <ProofHost />
      {status.data.setup && <PaletteHost />}
      {session.user && <ShortcutHost />}
    </>
  )
}

function useTitle(title: ReturnType<typeof useScreen>['title'], systemName: string | undefined): void {
  const { t } = useTranslation('shell')
  const page = t(`titles.${title}`)
  const site = systemName || DEFAULT_NAME
  useEffect(() => {
    document.title = title === 'home' ? site : `${page} · ${site}`
  }, [title, page, site])
}
