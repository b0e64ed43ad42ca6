import { DisconnectOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { CopyButton } from './copy-button.tsx'
import { Button } from '../kit/index.ts'
import { DocsLink } from '../page/help-link.tsx'
import styles from './states.module.css'
import { TideMark } from './tide-mark.tsx'

interface Props {
  title: string
  /** What happened. */
  message?: string | undefined
  /** What to do. */
  hint?: string | undefined
  requestId?: string | undefined
  /** The error code of the server. */
  code?: string | undefined
  isOffline?: boolean
  retrying?: boolean
  onRetry(): unknown
}

export function ErrorState(props: Props) {
  const { title, message, hint, requestId, code, isOffline = false, retrying = false, onRetry } = props
  const { t } = useTranslation()
  return (
    <div className={styles.state} role="alert">
      <TideMark state="failed" badge={isOffline ? <DisconnectOutlined aria-hidden /> : null} />
      <h2 className={styles.title}>{title}</h2>
      {message && <p className={styles.hint}>{message}</p>}
      {hint && hint !== message && <p className={styles.hint}>{hint}</p>}
      {requestId && (
        <p className={styles.request}>
          {t('requestId')} <code className="mono">{requestId}</code>
          <CopyButton text={requestId} label={t('copyRequestId')} />
        </p>
      )}
      <div className={styles.action}>
        <Button onClick={() => void onRetry()} loading={retrying}>
          {t('retry')}
        </Button>
      </div>
      {!isOffline && (
        <DocsLink className={styles.help} page={code ? `reference/errors#${code}` : 'guides/troubleshoot'}>
          {t('help.error')}
        </DocsLink>
      )}
    </div>
  )
}
