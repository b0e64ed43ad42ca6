import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, ScrollRestoration, useLocation } from 'react-router'
import { ReauthHost } from '../components/reauth/reauth-host.tsx'
import { useSession } from '../api/session.ts'
import { DEFAULT_NAME, statusQuery } from '../api/status.ts'
import { hasAccess, redirectFor } from './guards.ts'
import { PaletteHost } from './palette/palette-host.tsx'
import { useScreen, type TitleKey } from './route-table.ts'
import { HelpPageContext } from '../ui/page/help-link.tsx'
import { ConnectionBanner, NavigationProgress, NoAccess, ServerUnreachable } from './screen-states.tsx'
import { ShortcutHost } from './shortcuts/shortcut-host.tsx'
import { Shell } from './shell/shell.tsx'

/** Shows the page in the shell, redirects, or shows that the user has no access or the server is unreachable. */
export function AppRoot() {
  const { pathname, search } = useLocation()
  const screen = useScreen()
  const status = useQuery(statusQuery)
  const session = useSession()
  useTitle(screen.title, status.data?.system_name)

  if (!status.data)
    return <ServerUnreachable error={status.error} retrying={status.isFetching} onRetry={status.refetch} />

  const redirect = redirectFor({ pathname, search, guard: screen.guard }, status.data, session)
  if (redirect !== null) return <Navigate replace to={redirect} />
  return (
    <>
      <Shell>
        <HelpPageContext value={screen.help}>
          {hasAccess(session.user, screen.guard) ? <Outlet /> : <NoAccess />}
        </HelpPageContext>
        <ScrollRestoration />
      </Shell>
      <NavigationProgress />
      <ConnectionBanner />
      <ReauthHost />
      {status.data.setup && <PaletteHost />}
      {session.user && <ShortcutHost />}
    </>
  )
}

function useTitle(title: TitleKey, systemName: string | undefined): void {
  const { t } = useTranslation('shell')
  const page = t(`titles.${title}`)
  const site = systemName || DEFAULT_NAME
  useEffect(() => {
    document.title = title === 'home' ? site : `${page} · ${site}`
  }, [title, page, site])
}
