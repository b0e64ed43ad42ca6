import { DeleteOutlined, RedoOutlined, WarningOutlined } from '@ant-design/icons'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { Money } from '../../../components/money.tsx'
import { formatCount } from '../../../lib/format.ts'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { RowButton } from '../../../ui/table/row-button.tsx'
import { useChatActions } from '../chat/send-message.ts'
import { isGenerating, type Answer } from '../conversation/conversation.ts'
import { deleteAnswer } from '../conversation/store.ts'
import { AnswerContent } from './message-content.tsx'
import styles from './view.module.css'

interface Props {
  turnId: string
  columnId: string
  /** Missing if it was deleted, or if the model was added later. */
  answer: Answer | undefined
  showsModel: boolean
}

export const AnswerView = memo(function AnswerView({ turnId, columnId, answer, showsModel }: Props) {
  const { t } = useTranslation('playground')
  const { retryAnswer } = useChatActions()
  const retry = () => retryAnswer(turnId, columnId)
  if (!answer) {
    return (
      <div className={styles.answer}>
        <RowButton outlined label={t('answer.ask')} onClick={retry}>
          <RedoOutlined aria-hidden /> {t('answer.ask')}
        </RowButton>
      </div>
    )
  }
  const isDone = !isGenerating(answer)
  return (
    <div className={styles.answer} data-status={answer.status} aria-busy={!isDone}>
      {showsModel && <p className={styles.model}>{answer.model}</p>}
      <AnswerContent key={answer.id} answer={answer} />
      {answer.failure && <AnswerFailure answer={answer} onRetry={retry} />}
      {answer.stopped && <p className={styles.stopped}>{t('answer.stopped')}</p>}
      {isDone && (
        <footer className={styles.foot}>
          <div className={styles.actions}>
            {answer.content !== '' && <CopyButton text={answer.content} label={t('answer.copy')} />}
            {!answer.failure && (
              <RowButton label={t('answer.retry')} title={t('answer.retry')} onClick={retry}>
                <RedoOutlined aria-hidden />
              </RowButton>
            )}
            <RowButton
              label={t('answer.delete')}
              title={t('answer.delete')}
              onClick={() => deleteAnswer(turnId, columnId)}
            >
              <DeleteOutlined aria-hidden />
            </RowButton>
          </div>
          <AnswerStats answer={answer} />
        </footer>
      )}
    </div>
  )
})

/** Tokens, speed and cost of an answer. */
function AnswerStats({ answer }: { answer: Answer }) {
  const { t } = useTranslation('playground')
  const { inputTokens, outputTokens, firstTokenMs, quota, requestId } = answer
  const speed = tokensPerSecond(answer)
  return (
    <p className={styles.stats}>
      {inputTokens !== null && outputTokens !== null && (
        <span title={t('facts.tokensTitle')}>
          {t('facts.tokens', { input: formatCount(inputTokens), output: formatCount(outputTokens) })}
        </span>
      )}
      {firstTokenMs !== null && (
        <span title={t('facts.firstTokenTitle')}>
          {t('facts.firstToken', { seconds: (firstTokenMs / 1000).toFixed(2) })}
        </span>
      )}
      {speed !== null && <span>{t('facts.speed', { speed })}</span>}
      {quota !== null && <Money quota={quota} kind="call" />}
      {requestId !== '' && quota !== null && <Link to={`/app/logs/request/${requestId}`}>{t('facts.details')}</Link>}
    </p>
  )
}

/** Output speed after the first token. Null if it cannot be measured. */
function tokensPerSecond({
  outputTokens,
  firstTokenMs,
  milliseconds,
}: Pick<Answer, 'outputTokens' | 'firstTokenMs' | 'milliseconds'>): number | null {
  if (outputTokens === null || firstTokenMs === null || outputTokens < 2) return null
  const outputMs = milliseconds - firstTokenMs
  // The time starts at the first token.
  const speed = (outputTokens - 1) / (Math.max(outputMs, 1) / 1000)
  return speed >= 100 ? Math.round(speed) : Math.round(speed * 10) / 10
}

/** The error of an answer, and what to do. */
function AnswerFailure({ answer, onRetry }: { answer: Answer; onRetry(): void }) {
  const { t } = useTranslation('playground')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const { failure, requestId } = answer
  return (
    <div className={styles.failure} role="alert">
      <p className={styles.failureText}>
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
