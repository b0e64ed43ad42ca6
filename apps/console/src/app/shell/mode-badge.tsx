import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import styles from './top-bar.module.css'

/** Says when the site is no ordinary one. */
export function ModeBadge() {
  const { t } = useTranslation('shell')
  const { self_use_mode_enabled: isSelfUse, demo_site_enabled: isDemo } = useStatus()
  if (isSelfUse) return <span className={`${styles.badge} ${styles.selfUse}`}>{t('selfUseMode')}</span>
  if (isDemo) return <span className={`${styles.badge} ${styles.demo}`}>{t('demoSite')}</span>
  return null
}
