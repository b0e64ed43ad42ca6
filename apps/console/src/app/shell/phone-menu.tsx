import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { Drawer } from '../../ui/kit/index.ts'
import { NavigationList } from './navigation-list.tsx'
import { ModeBadge, SiteLinks } from './site-links.tsx'
import styles from './top-bar.module.css'

interface Props {
  open: boolean
  onClose(): void
}

/** The sidebar and the links of the top bar in one drawer. */
export default function PhoneMenu({ open, onClose }: Props) {
  const { t } = useTranslation('shell')
  const user = useSession((session) => session.user)
  const { self_use_mode_enabled: isSelfUse } = useStatus()
  return (
    <Drawer
      open={open}
      onClose={onClose}
      placement="left"
      size={280}
      title={t('menu')}
      extra={<ModeBadge />}
      closable={{ 'aria-label': t('closeMenu') }}
      styles={{ body: { padding: 0 } }}
    >
      {user && <NavigationList />}
      <SiteLinks className={styles.column} />
      {!user && !isSelfUse && (
        <div className={styles.column}>
          <Link to="/register" className={styles.link}>
            {t('register')}
          </Link>
        </div>
      )}
    </Drawer>
  )
}
