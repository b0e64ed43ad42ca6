import { MenuOutlined, MoonOutlined, SunOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useSession } from '../../api/session.ts'
import { DEFAULT_LOGO, DEFAULT_NAME, useStatus } from '../../api/status.ts'
import { BrandMark } from '../../components/brand-mark.tsx'
import { LANGUAGE_CODES, LANGUAGES } from '../../lib/languages.ts'
import { chooseThemeMode, useThemeMode } from '../../lib/theme/theme-mode.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { Button, Tooltip } from '../../ui/kit/index.ts'
import { PaletteButton } from '../palette/palette-host.tsx'
import { AccountMenu } from './account-menu.tsx'
import { InboxBell } from './inbox-bell.tsx'
import { LazyMenu } from './lazy-menu.tsx'
import { ModeBadge, SiteLinks } from './site-links.tsx'
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
        {!isSetup && (user ? <UserTools key={user.id} /> : <LoginLinks />)}
      </div>
    </header>
  )
}

function UserTools() {
  return (
    <>
      <InboxBell />
      <AccountMenu />
    </>
  )
}

function LoginLinks() {
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

/** The operator's logo and name, or ours by default. */
function Brand() {
  const { logo, system_name: name } = useStatus()
  return (
    <Link to="/" className={styles.brand}>
      {logo && logo !== DEFAULT_LOGO ? <img src={logo} alt="" width={24} height={24} /> : <BrandMark size={22} />}
      <span className={styles.brandName}>{name || DEFAULT_NAME}</span>
    </Link>
  )
}

function ThemeToggle() {
  const { t } = useTranslation('shell')
  const isDark = useThemeMode((state) => state.mode === 'dark')
  const name = isDark ? t('useLight') : t('useDark')
  return (
    <Tooltip title={name}>
      <Button
        type="text"
        aria-label={name}
        icon={isDark ? <SunOutlined aria-hidden /> : <MoonOutlined aria-hidden />}
        onClick={() => chooseThemeMode(isDark ? 'light' : 'dark')}
      />
    </Tooltip>
  )
}

/** Each language is listed by its own name. */
function LanguageMenu() {
  const { t, i18n } = useTranslation('shell')
  return (
    <LazyMenu
      menu={{
        items: LANGUAGE_CODES.map((language) => ({
          key: language,
          label: <span lang={LANGUAGES[language].tag}>{LANGUAGES[language].name}</span>,
        })),
        selectable: true,
        selectedKeys: [i18n.resolvedLanguage ?? 'en'],
        onClick: ({ key }) => void i18n.changeLanguage(key),
      }}
    >
      {(button) => <Button type="text" icon={<LanguagesIcon />} aria-label={t('language')} {...button} />}
    </LazyMenu>
  )
}

/** A Chinese and a Latin character. */
function LanguagesIcon() {
  return (
    <svg
      viewBox="0 0 24 24"
      width="18"
      height="18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      focusable="false"
    >
      <path d="M3 6h11M8.5 3v3M12 6c-1 4-4 7.5-8.5 9.5M5.5 9.5c1.5 2.7 3.5 4.5 6 5.5" />
      <path d="M12 21l4.5-10L21 21M13.6 17.5h5.8" />
    </svg>
  )
}
