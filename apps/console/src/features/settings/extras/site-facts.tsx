import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { useStatus } from '../../../api/status.ts'
import { Facts } from '../../../ui/page/facts.tsx'
import { Time } from '../../../ui/page/time.tsx'
import styles from '../settings.module.css'

/** What the server says of itself to everybody; nothing here can be set. */
export function SiteFacts() {
  const { t } = useTranslation('settings')
  const { version, start_time, server_address, quota_per_unit } = useStatus()
  return (
    <section className={styles.card} aria-label={t('site.title')}>
      <h2 className={styles.title}>{t('site.title')}</h2>
      <Facts
        facts={[
          { term: t('site.version'), value: <span className="mono">{version}</span> },
          { term: t('site.started'), value: <Time unixSeconds={start_time} /> },
          { term: t('site.address'), value: server_address || t('site.noAddress') },
          { term: t('site.unit'), value: `${formatCount(quota_per_unit)} ${t('units.quota')}` },
        ]}
      />
    </section>
  )
}
