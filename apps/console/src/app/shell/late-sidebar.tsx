import { lazy, Suspense } from 'react'
import { useSession } from '../../lib/session.ts'
import { stored } from '../../lib/stored.ts'
import styles from './shell.module.css'

const loadSidebar = () => import('./sidebar.tsx')
const Sidebar = lazy(loadSidebar)
// Visitors get no sidebar; whoever is logged in need not wait until the shell asks for it.
if (useSession.getState().user) void loadSidebar()

/** The sidebar, and its place until it is there, so that nothing moves when it comes. */
export function LateSidebar() {
  const place = <div className={styles.sidebar} data-collapsed={stored.collapseSidebar.get() || undefined} />
  return (
    <Suspense fallback={place}>
      <Sidebar />
    </Suspense>
  )
}
