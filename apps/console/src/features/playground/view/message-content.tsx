import { BulbOutlined, PictureOutlined } from '@ant-design/icons'
import { memo, startTransition, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RichContent } from '../../../ui/content/rich-content.tsx'
import { Image } from '../../../ui/kit/index.ts'
import { liveAnswer, type LiveContent } from '../chat/live-answers.ts'
import { isGenerating, type Answer, type Picture } from '../conversation/conversation.ts'
import { splitBlocks, withoutHighlighting } from './split-blocks.ts'
import styles from './view.module.css'

/** The content of an answer, live while it is generated. Needs the ID of the answer as its key. */
export function AnswerContent({ answer }: { answer: Answer }) {
  const { t } = useTranslation('playground')
  const isLive = isGenerating(answer)
  const { content, thinking, thinkingMs, pictures } = useLiveContent(answer, isLive)
  const parts = useMemo(() => splitBlocks(content), [content])
  const isThinking = isLive && content === '' && pictures.length === 0
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
      {thinking !== '' && <Reasoning text={thinking} milliseconds={thinkingMs} isRunning={isThinking} />}
      {content !== '' && (
        <div>
          {parts.map((part, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- parts are only appended
            <Part key={at} text={part} isLive={isLive && at === parts.length - 1} />
          ))}
        </div>
      )}
      <Pictures pictures={pictures} />
    </>
  )
}

/** Memoized: only the last part of a live answer renders again. */
const Part = memo(function Part({ text, isLive }: { text: string; isLive: boolean }) {
  return (
    <div className={styles.part} data-heading={/^#{1,4} /.test(text) || undefined}>
      <RichContent format="markdown" showsHtml text={isLive ? withoutHighlighting(text) : text} isStreaming={isLive} />
    </div>
  )
})

/** Renders as a transition, so that scrolling and typing come first. */
function useLiveContent(answer: Answer, isLive: boolean): LiveContent {
  const [live] = useState(() => liveAnswer(answer.id))
  const [content, setContent] = useState(() => live?.content())
  useEffect(() => live?.subscribe(() => startTransition(() => setContent(live.content()))), [live])
  return isLive && content ? content : answer
}

interface ReasoningProps {
  text: string
  milliseconds: number
  /** The model has not written any text yet. */
  isRunning: boolean
}

/** The reasoning of the model, collapsed because it is long. */
function Reasoning({ text, milliseconds, isRunning }: ReasoningProps) {
  const { t } = useTranslation('playground')
  const [isOpen, setIsOpen] = useState(false)
  const seconds = Math.max(0.1, milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)
  return (
    <details className={styles.thinking} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <BulbOutlined aria-hidden />
        <span className="number">
          {isRunning ? t('answer.thinkingNow', { seconds }) : t('answer.thoughtFor', { seconds })}
        </span>
      </summary>
      {isOpen && <div className={styles.thought}>{text}</div>}
    </details>
  )
}

/** The pictures of a message. A picture that was not saved leaves a note. */
export function Pictures({ pictures }: { pictures: readonly Picture[] }) {
  const { t } = useTranslation('playground')
  if (pictures.length === 0) return null
  return (
    <div className={styles.pictures}>
      {pictures.map(({ url, name }, at) =>
        url === '' ? (
          // oxlint-disable-next-line react/no-array-index-key -- the pictures of a message do not change
          <span key={at} className={styles.notSaved}>
            <PictureOutlined aria-hidden /> {t('picture.notSaved', { name })}
          </span>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- as above
          <Image key={at} src={url} alt={name || t('picture.generated')} referrerPolicy="no-referrer" />
        ),
      )}
    </div>
  )
}
