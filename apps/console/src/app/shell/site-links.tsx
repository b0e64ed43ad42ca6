import { ExportOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { NavLink, useLocation } from 'react-router'
import { useStatus } from '../../api/status.ts'
import { docsLink } from './docs-link.ts'
import styles from './top-bar.module.css'

/** The public places: in a row on the top bar, in a column in the phone's menu. */
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
      <NavLink to="/app/tokens" className={styles.link} data-here={inConsole || undefined}>
        {t('console')}
      </NavLink>
      <NavLink to="/pricing" className={styles.link}>
        {t('pricing')}
      </NavLink>
      {docs !== '' && (
        <a href={docs} target="_blank" rel="noreferrer" className={styles.link}>
          {t('docs')} <ExportOutlined aria-label={t('opensOutside')} className={styles.outside} />
        </a>
      )}
      <NavLink to="/about" className={styles.link}>
        {t('about')}
      </NavLink>
    </nav>
  )
}
