import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { Alert, Button } from '../../ui/kit/index.ts'
import styles from './settings.module.css'

/** Nothing can be guessed safely in place of the public address, so its absence is said. */
export function AddressNotice({ onFix }: { onFix(): void }) {
  const { t } = useTranslation('settings')
  const { server_address } = useStatus()
  if (server_address !== '') return null
  return (
    <Alert
      className={styles.notice}
      type="warning"
      showIcon
      title={t('addressMissing.title')}
      action={
        <Button size="small" onClick={onFix}>
          {t('addressMissing.action')}
        </Button>
      }
    />
  )
}
