import { DisconnectOutlined, WarningOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { CallError, errorText } from '../lib/call-error.ts'
import { CopyButton } from './copy-button.tsx'
import { Button } from './kit/index.ts'
import styles from './states.module.css'

interface Props {
  title: string
  error: unknown
  hint?: string
  retrying?: boolean
  onRetry(): unknown
}

/** What happened, what to do, and the request id that an operator can look up. */
export function ErrorState({ title, error, hint, retrying = false, onRetry }: Props) {
  const { t } = useTranslation()
  const requestId = error instanceof CallError ? error.requestId : ''
  const isAway = error instanceof CallError && error.code === 'network'
  return (
    <div className={styles.state} role="alert">
      <div className={styles.icon} aria-hidden>
        {isAway ? <DisconnectOutlined aria-hidden /> : <WarningOutlined aria-hidden />}
      </div>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.hint}>{error ? errorText(error) : hint}</p>
      {Boolean(error) && hint && hint !== errorText(error) && <p className={styles.hint}>{hint}</p>}
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
    </div>
  )
}
