import { MenuOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useSession } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { Button } from '../../ui/kit/index.ts'
import { PaletteButton } from '../palette/palette-button.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Brand } from './brand.tsx'
import { InboxBell } from './inbox-bell.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { ModeBadge } from './mode-badge.tsx'
import { SiteLinks } from './site-links.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import styles from './top-bar.module.css'

interface Props {
  onOpenMenu(): void
}

export function TopBar({ onOpenMenu }: Props) {
  const { t } = useTranslation('shell')
  const isPhone = useIsPhone()
  const isSetup = useLocation().pathname === '/setup'
  const user = useSession((session) => session.user)
  return (
    <header className={styles.bar}>
      {isPhone && !isSetup && (
        <Button type="text" icon={<MenuOutlined aria-hidden />} aria-label={t('openMenu')} onClick={onOpenMenu} />
      )}
      <Brand />
      {!isPhone && <ModeBadge />}
      {!isPhone && !isSetup && <SiteLinks className={styles.links} />}
      <div className={styles.tools}>
        {!isSetup && <PaletteButton />}
        <ThemeToggle />
        <LanguageMenu />
        {!isSetup && (user ? <Tools key={user.id} /> : <EntryLinks />)}
      </div>
    </header>
  )
}

function Tools() {
  return (
    <>
      <InboxBell />
      <AccountMenu />
    </>
  )
}

function EntryLinks() {
  const { t } = useTranslation('shell')
  const { self_use_mode_enabled: isSelfUse } = useStatus()
  const isPhone = useIsPhone()
  return (
    <div className={styles.entry}>
      <Link to="/login" className={styles.link}>
        {t('login')}
      </Link>
      {!isSelfUse && !isPhone && (
        <Link to="/register" className={styles.register}>
          {t('register')}
        </Link>
      )}
    </div>
  )
}
