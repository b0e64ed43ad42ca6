import { memo, startTransition, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RichContent } from '../../../ui/content/rich-content.tsx'
import { liveAnswer, type Heard } from '../chat/live-answers.ts'
import { isUnderWay } from '../conversation/conversation.ts'
import type { Answer } from '../conversation/types.ts'
import { Pictures } from './pictures.tsx'
import { splitBlocks, withoutColours } from './split-blocks.ts'
import { Thinking } from './thinking.tsx'
import styles from './view.module.css'

/** The words of an answer: those of the stream while it lasts, those that are kept afterwards. One for each answer. */
export function AnswerBody({ answer }: { answer: Answer }) {
  const { t } = useTranslation('playground')
  const isGrowing = isUnderWay(answer)
  const { content, thinking, thinkingMs, pictures } = useHeard(answer, isGrowing)
  const parts = useMemo(() => splitBlocks(content), [content])
  const isThinking = isGrowing && content === '' && pictures.length === 0
  if (isThinking && thinking === '') {
    return (
      <p className={styles.waiting}>
        <span className={styles.dots} aria-hidden>
          <i />
          <i />
          <i />
        </span>
        <span className="visually-hidden">{t('answer.loading')}</span>
      </p>
    )
  }
  return (
    <>
      {thinking !== '' && <Thinking text={thinking} milliseconds={thinkingMs} isOpenEnded={isThinking} />}
      {content !== '' && (
        <div className={styles.words}>
          {parts.map((part, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- parts only ever follow one another
            <Part key={at} text={part} isGrowing={isGrowing && at === parts.length - 1} />
          ))}
        </div>
      )}
      <Pictures pictures={pictures} />
    </>
  )
}

/** What is whole is never drawn again. */
const Part = memo(function Part({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  return (
    <div className={styles.part} data-heading={/^#{1,4} /.test(text) || undefined}>
      <RichContent format="markdown" showsHtml text={isGrowing ? withoutColours(text) : text} isStreaming={isGrowing} />
    </div>
  )
})

/** Drawn when there is time: whoever scrolls or types comes first. */
function useHeard(answer: Answer, isGrowing: boolean): Heard {
  const [live] = useState(() => liveAnswer(answer.id))
  const [heard, setHeard] = useState(() => live?.heard())
  useEffect(() => live?.subscribe(() => startTransition(() => setHeard(live.heard()))), [live])
  return isGrowing && heard ? heard : answer
}
