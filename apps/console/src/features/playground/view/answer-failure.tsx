import { WarningOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { Button } from '../../../ui/kit/index.ts'
import type { Answer } from '../conversation/types.ts'
import styles from './view.module.css'

/** Why an answer did not come, or not to its end, and what helps. */
export function AnswerFailure({ answer, onRetry }: { answer: Answer; onRetry(): void }) {
  const { t } = useTranslation('playground')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const { failure, requestId } = answer
  return (
    <div className={styles.failure} role="alert">
      <p className={styles.failureWords}>
        <WarningOutlined aria-hidden /> <span>{failure!.message}</span>
      </p>
      {requestId !== '' && (
        <p className={styles.failureId}>
          {common('requestId')} <code className="mono">{requestId}</code>
          <CopyButton text={requestId} label={common('copyRequestId')} />
        </p>
      )}
      <div className={styles.failureActions}>
        <Button size="small" onClick={onRetry}>
          {common('retry')}
        </Button>
        {failure!.code === 'insufficient_user_quota' && (
          <Button size="small" onClick={() => void navigate('/app/wallet')}>
            {t('answer.topUp')}
          </Button>
        )}
      </div>
    </div>
  )
}
