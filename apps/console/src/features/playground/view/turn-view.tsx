import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Divider } from '../../../ui/kit/index.ts'
import type { Column, Turn } from '../conversation/types.ts'
import { AnswerView } from './answer-view.tsx'
import { QuestionView } from './question-view.tsx'
import styles from './view.module.css'

interface Props {
  turn: Turn
  columns: readonly Column[]
  isLast: boolean
}

/** Drawn anew only when something in it changed, and not for every word of another answer. */
export const TurnView = memo(function TurnView({ turn, columns, isLast }: Props) {
  const { t } = useTranslation('playground')
  return (
    <article className={styles.turn} data-last={isLast || undefined}>
      <QuestionView turnId={turn.id} question={turn.question} />
      <div className={styles.answers}>
        {columns.map(({ id }) => (
          <AnswerView
            key={id}
            turnId={turn.id}
            columnId={id}
            answer={turn.answers[id]}
            hasName={columns.length === 1}
          />
        ))}
      </div>
      {turn.endsContext && (
        <Divider plain className={styles.cut}>
          {t('contextCleared')}
        </Divider>
      )}
    </article>
  )
})
