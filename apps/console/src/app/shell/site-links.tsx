import { ExportOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { NavLink, useLocation } from 'react-router'
import { useStatus } from '../../api/status.ts'
import { docsLink } from './navigation.ts'
import styles from './top-bar.module.css'

/** Links to the public pages, for the top bar and the phone menu. */
export function SiteLinks({ className }: { className: string | undefined }) {
  const { t } = useTranslation('shell')
  const docs = docsLink(useStatus().docs_link)
  const { pathname } = useLocation()
  const inConsole = /^\/(app|admin|playground|channel|user\/edit)(\/|$)/.test(pathname)
  return (
    <nav className={className} aria-label={t('siteMenu')}>
      <NavLink to="/" end className={styles.link}>
        {t('home')}
      </NavLink>
      <NavLink to="/app/tokens" className={styles.link} data-current={inConsole || undefined}>
        {t('console')}
      </NavLink>
      <NavLink to="/pricing" className={styles.link}>
        {t('pricing')}
      </NavLink>
      {docs !== '' && (
        <a href={docs} target="_blank" rel="noreferrer" className={styles.link}>
          {t('docs')} <ExportOutlined aria-label={t('opensOutside')} className={styles.external} />
        </a>
      )}
      <NavLink to="/about" className={styles.link}>
        {t('about')}
      </NavLink>
    </nav>
  )
}

/** Marks a site in self-use or demo mode. */
export function ModeBadge() {
  const { t } = useTranslation('shell')
  const { self_use_mode_enabled: isSelfUse, demo_site_enabled: isDemo } = useStatus()
  if (isSelfUse) return <span className={`${styles.badge} ${styles.selfUse}`}>{t('selfUseMode')}</span>
  if (isDemo) return <span className={`${styles.badge} ${styles.demo}`}>{t('demoSite')}</span>
  return null
}
