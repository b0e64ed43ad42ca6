import { DeleteOutlined, RedoOutlined } from '@ant-design/icons'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { RowButton } from '../../../ui/table/row-button.tsx'
import { isUnderWay } from '../conversation/conversation.ts'
import type { Answer } from '../conversation/types.ts'
import { useAsking } from '../use-asking.ts'
import { AnswerBody } from './answer-body.tsx'
import { AnswerFacts } from './answer-facts.tsx'
import { AnswerFailure } from './answer-failure.tsx'
import { removeAnswer } from './remove.ts'
import styles from './view.module.css'

interface Props {
  turnId: string
  columnId: string
  /** Missing where it was removed, or where the model was not there yet. */
  answer: Answer | undefined
  /** Says whose words these are. */
  hasName: boolean
}

export const AnswerView = memo(function AnswerView({ turnId, columnId, answer, hasName }: Props) {
  const { t } = useTranslation('playground')
  const { askAgain } = useAsking()
  const retry = () => askAgain(turnId, columnId)
  if (!answer) {
    return (
      <div className={styles.answer}>
        <RowButton outlined label={t('answer.ask')} onClick={retry}>
          <RedoOutlined aria-hidden /> {t('answer.ask')}
        </RowButton>
      </div>
    )
  }
  const isOver = !isUnderWay(answer)
  return (
    <div className={styles.answer} data-status={answer.status} aria-busy={!isOver}>
      {hasName && <p className={styles.model}>{answer.model}</p>}
      <AnswerBody key={answer.id} answer={answer} />
      {answer.failure && <AnswerFailure answer={answer} onRetry={retry} />}
      {answer.stopped && <p className={styles.stopped}>{t('answer.stopped')}</p>}
      {isOver && (
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
              onClick={() => removeAnswer(turnId, columnId)}
            >
              <DeleteOutlined aria-hidden />
            </RowButton>
          </div>
          <AnswerFacts answer={answer} />
        </footer>
      )}
    </div>
  )
})
