import { isRoot } from '@tidegate/contract/api'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { DEFAULT_NAME, useStatus } from '../../lib/status.ts'
import styles from './about.module.css'

export function DefaultAbout() {
  const { t } = useTranslation('about')
  const { system_name: name, version, server_address: address } = useStatus()
  const isOwner = useSession((session) => isRoot(session.user?.role ?? 0))
  return (
    <>
      <p className={styles.words}>{t('words', { name: name || DEFAULT_NAME })}</p>
      <p className={styles.words}>
        <Trans
          t={t}
          i18nKey="next"
          components={{ prices: <Link to="/pricing" />, tokens: <Link to="/app/tokens" /> }}
        />
      </p>
      <dl className={styles.facts}>
        <div>
          <dt>{t('address')}</dt>
          <dd className="mono">{address || window.location.origin}</dd>
        </div>
        <div>
          <dt>{t('version')}</dt>
          <dd className="number">{version}</dd>
        </div>
      </dl>
      {isOwner && (
        <p className={styles.owner}>
          <Trans t={t} i18nKey="owner" components={{ settings: <Link to="/admin/settings?tab=other" /> }} />
        </p>
      )}
    </>
  )
}
