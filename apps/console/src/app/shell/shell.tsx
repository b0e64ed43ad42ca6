import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { lazy, Suspense, useState, type PropsWithChildren } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useSession } from '../../api/session.ts'
import { useAnnouncement } from '../../features/announcement/use-announcement.ts'
import { stored } from '../../lib/stored.ts'
import { useIsPhone, useIsSmallScreen } from '../../lib/use-media.ts'
import { Footer } from './footer.tsx'
import { NavigationList } from './navigation-list.tsx'
import { hidesSidebar } from './navigation.ts'
import styles from './shell.module.css'
import { TopBar } from './top-bar.tsx'

const PhoneMenu = lazy(() => import('./phone-menu.tsx'))
/** Most sites have no announcement. */
const AnnouncementBar = lazy(async () => ({
  default: (await import('../../features/announcement/announcement-bar.tsx')).AnnouncementBar,
}))
const AnnouncementDialog = lazy(() => import('../../features/announcement/announcement-dialog.tsx'))

/** The frame of every page. The sidebar is shown only to users who are logged in. */
export function Shell({ children }: PropsWithChildren) {
  const { t } = useTranslation('shell')
  const { pathname, search, key } = useLocation()
  const isPhone = useIsPhone()
  const isLoggedIn = useSession((session) => session.user !== null)
  const [menu, setMenu] = useState({ open: false, at: key })
  const openMenu = (open: boolean) => setMenu({ open, at: key })
  // Navigation closes the menu. The menu cannot do this itself, because it may load after the tap.
  if (menu.at !== key) openMenu(false)
  const announcement = useAnnouncement({ enabled: pathname !== '/setup', pathname, search })
  const hasSidebar = isLoggedIn && !isPhone && !hidesSidebar(pathname)
  return (
    <div className={styles.shell} data-announced={announcement.hasBar || undefined}>
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
          <Footer onOpenAnnouncement={announcement.text === '' ? undefined : announcement.open} />
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

function Sidebar() {
  const { t } = useTranslation('shell')
  const isSmall = useIsSmallScreen()
  const [isCollapsed, setCollapsed] = useState(() => stored.collapseSidebar.get() ?? false)
  // On smaller screens the choice holds until the page is loaded again.
  const [isSmallCollapsed, setSmallCollapsed] = useState(true)
  const collapsed = isSmall ? isSmallCollapsed : isCollapsed
  const toggle = () => {
    if (isSmall) return setSmallCollapsed(!isSmallCollapsed)
    stored.collapseSidebar.set(!isCollapsed)
    setCollapsed(!isCollapsed)
  }
  return (
    <aside className={styles.sidebar} data-collapsed={collapsed || undefined}>
      <div className={styles.sidebarLinks}>
        <NavigationList collapsed={collapsed} />
      </div>
      <button
        type="button"
        className={styles.collapse}
        aria-label={collapsed ? t('expandSidebar') : t('collapseSidebar')}
        aria-expanded={!collapsed}
        onClick={toggle}
      >
        {collapsed ? <MenuUnfoldOutlined aria-hidden /> : <MenuFoldOutlined aria-hidden />}
        {!collapsed && <span>{t('collapseSidebar')}</span>}
      </button>
    </aside>
  )
}
