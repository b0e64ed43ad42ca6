import { DisconnectOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useConnection } from '../api/connection.ts'
import styles from './waiting.module.css'

/** Says that nothing comes through just now, out of the way of what is already there. */
export function ConnectionBanner() {
  const { t } = useTranslation()
  const { isOffline, isServerAway } = useConnection()
  return (
    <output className={styles.place}>
      {(isOffline || isServerAway) && (
        <p className={styles.banner}>
          <DisconnectOutlined aria-hidden /> {isOffline ? t('connection.offline') : t('connection.away')}
        </p>
      )}
    </output>
  )
}
