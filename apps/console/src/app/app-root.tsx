import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, ScrollRestoration, useLocation } from 'react-router'
import { ProofHost } from '../lib/proof/proof-host.tsx'
import { useSession } from '../lib/session.ts'
import { DEFAULT_NAME, statusQuery } from '../lib/status.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { redirectFor } from './guards.ts'
import { NavigationProgress } from './late-screen.tsx'
import { PaletteHost } from './palette/palette-host.tsx'
import { Shell } from './shell/shell.tsx'
import { ServerAway } from './server-away.tsx'
import { useScreen } from './use-screen.ts'

/** Decides what a visit gets: the screen in its shell, another address, or the news that the server is away. */
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
        <Outlet />
        <ScrollRestoration />
      </Shell>
      <NavigationProgress />
      <ConnectionBanner />
      <ProofHost />
      {status.data.setup && <PaletteHost />}
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
