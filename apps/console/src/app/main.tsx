import '@fontsource-variable/inter/wght.css'
import '../ui/kit/index.ts' // first, so that our styles override those of Ant Design
import './base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { followConnection } from '../api/connection.ts'
import { currentLanguage, i18n, startI18n } from '../lib/i18n.ts'
import { newQueryClient } from '../api/query-client.ts'
import { loginPath } from '../lib/return-path.ts'
import { followOtherTabs, useSession, whenSecondFactorRequired, whenSessionExpires } from '../api/session.ts'
import { statusQuery } from '../api/status.ts'
import { stored } from '../lib/stored.ts'
import { followTheme } from '../lib/theme/theme-mode.ts'
import { toast } from '../lib/toast.ts'
import { loadKitLocale } from '../ui/kit/locale.ts'
import { Providers } from './providers.tsx'
import { startingPath } from './route-table.ts'
import { newRouter } from './router.tsx'

const client = newQueryClient()
followTheme()
followOtherTabs()
followConnection(client)
const [locale] = await Promise.all([
  startI18n().then(() => loadKitLocale(currentLanguage())),
  client.prefetchQuery(statusQuery),
])

// If the server is unreachable, the console starts with the stored status.
const isReachable = client.getQueryData(statusQuery.queryKey) !== undefined
const storedStatus = stored.status.get()
if (!isReachable && storedStatus) {
  client.setQueryData(statusQuery.queryKey, storedStatus)
  toast.error(i18n.t('common:errors.network'))
}

// Redirects before the router starts, so that scripts of other pages are not loaded.
const status = client.getQueryData(statusQuery.queryKey)
const start = status && startingPath(window.location, status, useSession.getState())
if (start) window.history.replaceState(null, '', start)

const router = newRouter()
whenSessionExpires(() => {
  const { pathname, search } = router.state.location
  if (pathname === '/login') return
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'status' })
  void router.navigate(loginPath({ expired: true, returnTo: pathname + search }), { replace: true })
})

const SECURITY_PATH = '/app/me?tab=security'
whenSecondFactorRequired(() => {
  const { pathname, search } = router.state.location
  if (pathname + search === SECURITY_PATH) return
  void client.invalidateQueries({ queryKey: ['security'] })
  void router.navigate(SECURITY_PATH, { replace: true })
})

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <Providers client={client} locale={locale}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
)
