import { lazy, Suspense, useState, type PropsWithChildren } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useAnnouncement } from '../../features/announcement/use-announcement.ts'
import { useSession } from '../../api/session.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { Footer } from './footer.tsx'
import { hidesSidebar } from './navigation.ts'
import styles from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'

/** Wide screens never need it. */
const PhoneMenu = lazy(() => import('./phone-menu.tsx'))
/** Most sites have no announcement. */
const AnnouncementBar = lazy(async () => ({
  default: (await import('../../features/announcement/announcement-bar.tsx')).AnnouncementBar,
}))
const AnnouncementDialog = lazy(() => import('../../features/announcement/announcement-dialog.tsx'))

/** What surrounds every screen. A visitor gets no sidebar: every place in it would only lead to the login screen. */
export function Shell({ children }: PropsWithChildren) {
  const { t } = useTranslation('shell')
  const { pathname, search, key } = useLocation()
  const isPhone = useIsPhone()
  const isLoggedIn = useSession((session) => session.user !== null)
  const [menu, setMenu] = useState({ open: false, at: key })
  const openMenu = (open: boolean) => setMenu({ open, at: key })
  // Going anywhere closes it. Not the menu's own affair: it may arrive after the tap that asked for it.
  if (menu.at !== key) openMenu(false)
  const announcement = useAnnouncement({ enabled: pathname !== '/setup', pathname, search })
  const hasSidebar = isLoggedIn && !isPhone && !hidesSidebar(pathname)
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {t('skipToContent')}
      </a>
      <TopBar onOpenMenu={() => openMenu(true)} />
      {announcement.hasBar && (
        <Suspense>
          <AnnouncementBar text={announcement.text} onOpen={announcement.open} onClose={announcement.close} />
        </Suspense>
      )}
      {isPhone && (
        <Suspense>
          <PhoneMenu open={menu.open} onClose={() => openMenu(false)} />
        </Suspense>
      )}
      <div className={styles.body}>
        {hasSidebar && <Sidebar />}
        <div className={styles.column}>
          <main id="content" className={styles.content} tabIndex={-1}>
            {children}
          </main>
          <Footer onOpenNotice={announcement.text === '' ? undefined : announcement.open} />
        </div>
      </div>
      {announcement.isOpen && (
        <Suspense>
          <AnnouncementDialog text={announcement.text} isOpen={announcement.isOpen} onClose={announcement.close} />
        </Suspense>
      )}
    </div>
  )
}
