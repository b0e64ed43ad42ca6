import { useTranslation } from 'react-i18next'
import { LoadError } from '../components/resource/load-error.tsx'
import styles from './shell/shell.module.css'

interface Props {
  error: unknown
  retrying: boolean
  onRetry(): unknown
}

/** Shown instead of everything else when the server's status cannot be had and none is remembered. */
export function ServerAway({ error, retrying, onRetry }: Props) {
  const { t } = useTranslation()
  return (
    <main className={styles.alone}>
      <LoadError
        title={t('errors.statusFailed')}
        error={error}
        retrying={retrying}
        onRetry={onRetry}
        hint={t('errors.network')}
      />
    </main>
  )
}
