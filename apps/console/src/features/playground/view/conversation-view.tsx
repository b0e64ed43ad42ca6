import { ArrowDownOutlined } from '@ant-design/icons'
import { memo, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Money } from '../../../components/money.tsx'
import { useIsNarrow } from '../../../lib/use-media.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button, Divider, Segmented } from '../../../ui/kit/index.ts'
import { useChatActions } from '../chat/send-message.ts'
import { answersOf, isGenerating, type Column, type Turn } from '../conversation/conversation.ts'
import { currentConversation, MESSAGE_FIELD, setDraft, usePlayground } from '../conversation/store.ts'
import type { Offers } from '../offers.ts'
import { AnswerView } from './answer-view.tsx'
import { UserMessage } from './user-message.tsx'
import styles from './view.module.css'

/** The turns of the open conversation. Follows new text at the end. */
export function ConversationView({ models, isLoading }: Pick<Offers, 'models' | 'isLoading'>) {
  const { t } = useTranslation('playground')
  const conversation = usePlayground(currentConversation)
  const isNarrow = useIsNarrow()
  const [selected, setSelected] = useState('')
  const { id, columns, turns } = conversation
  const { scrollArea, content, isAtEnd, scrollToEnd } = useScrollToEnd(`${id}:${turns.length}`)
  // A phone shows one column at a time.
  const shown = isNarrow ? [columns.find((column) => column.id === selected) ?? columns[0]!] : columns
  const isBusy = answersOf(conversation).some(isGenerating)
  return (
    <div className={styles.frame}>
      {columns.length > 1 && (
        <ColumnHeads
          columns={columns}
          selected={isNarrow ? shown[0]!.id : undefined}
          turns={turns}
          onSelect={setSelected}
        />
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scroll areas must be focusable */}
      <section ref={scrollArea} className={styles.scroll} aria-label={t('conversation')} tabIndex={0}>
        <div
          ref={content}
          className={styles.turns}
          data-columns={shown.length}
          data-empty={turns.length === 0 || undefined}
        >
          {turns.length === 0 && !isLoading && <Greeting hasModels={models.length > 0} />}
          {turns.map((turn, at) => (
            <TurnView
              key={turn.id}
              turn={turn}
              columns={shown}
              showsModel={columns.length === 1}
              isLast={at === turns.length - 1}
            />
          ))}
        </div>
      </section>
      {!isAtEnd && (
        <Button
          className={styles.toEnd}
          shape="circle"
          icon={<ArrowDownOutlined aria-hidden />}
          aria-label={t('toEnd')}
          onClick={scrollToEnd}
        />
      )}
      <output className="visually-hidden">{turns.length > 0 && (isBusy ? t('busy') : t('ready'))}</output>
    </div>
  )
}

interface HeadsProps {
  columns: readonly Column[]
  turns: readonly Turn[]
  /** The visible column, if only one is shown at a time. */
  selected: string | undefined
  onSelect(columnId: string): void
}

/** The names of the models, with their cost in this conversation. */
function ColumnHeads({ columns, turns, selected, onSelect }: HeadsProps) {
  const { t } = useTranslation('playground')
  if (selected !== undefined) {
    return (
      <div className={styles.tabs}>
        <Segmented
          block
          value={selected}
          aria-label={t('columns')}
          options={columns.map(({ id, model }) => ({ value: id, label: model, title: model }))}
          onChange={onSelect}
        />
      </div>
    )
  }
  return (
    <div className={styles.heads} data-columns={columns.length}>
      {columns.map(({ id, model }) => {
        const spent = turns.reduce((sum, { answers }) => sum + (answers[id]?.quota ?? 0), 0)
        return (
          <div key={id} className={styles.head}>
            <span className={styles.headName} title={model}>
              {model}
            </span>
            {spent > 0 && <Money quota={spent} kind="call" />}
          </div>
        )
      })}
    </div>
  )
}

const EXAMPLES = ['explain', 'code', 'table', 'letter'] as const

/** An empty conversation, with a first message to send and prompts to start from. */
function Greeting({ hasModels }: { hasModels: boolean }) {
  const { t } = useTranslation('playground')
  const { sendMessage } = useChatActions()
  if (!hasModels) return <EmptyState title={t('settings.noModels')} guide="guides/troubleshoot#requests-fail" />
  const fillIn = (prompt: string) => {
    setDraft(prompt)
    document.getElementById(MESSAGE_FIELD)?.focus()
  }
  return (
    <EmptyState
      title={t('greeting.answer')}
      action={
        <div className={styles.greeting}>
          <Button onClick={() => sendMessage(t('greeting.question'), [])}>{t('greeting.question')}</Button>
          <ul className={styles.examples} aria-label={t('examples.label')}>
            {EXAMPLES.map((name) => (
              <li key={name}>
                <button type="button" onClick={() => fillIn(t(`examples.${name}`))}>
                  {t(`examples.${name}`)}
                </button>
              </li>
            ))}
          </ul>
        </div>
      }
    />
  )
}

interface TurnProps {
  turn: Turn
  columns: readonly Column[]
  /** False if the column headers show the models. */
  showsModel: boolean
  isLast: boolean
}

/** Memoized, so that the text of one answer does not render the other turns. */
const TurnView = memo(function TurnView({ turn, columns, showsModel, isLast }: TurnProps) {
  const { t } = useTranslation('playground')
  return (
    <article className={styles.turn} data-last={isLast || undefined}>
      <UserMessage turnId={turn.id} question={turn.question} />
      <div className={styles.answers}>
        {columns.map(({ id }) => (
          <AnswerView key={id} turnId={turn.id} columnId={id} answer={turn.answers[id]} showsModel={showsModel} />
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

/** A smaller distance counts as the end. */
const NEAR_PX = 48

/** Keeps a scroll area at its end while its content grows, unless the user scrolls up. A new key scrolls to the end. */
function useScrollToEnd(key: string) {
  const scrollArea = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  const [isAtEnd, setIsAtEnd] = useState(true)
  const scrollToEnd = useCallback(() => {
    isFollowing.current = true
    scrollArea.current!.scrollTop = scrollArea.current!.scrollHeight
  }, [])

  useEffect(scrollToEnd, [key, scrollToEnd])
  useEffect(() => {
    const area = scrollArea.current!
    let height = area.scrollHeight
    const observer = new ResizeObserver(() => {
      height = area.scrollHeight
      if (isFollowing.current) area.scrollTop = height
      setIsAtEnd(isFollowing.current)
    })
    const onScroll = () => {
      // Ignores scroll events that are caused by shrinking content.
      if (area.scrollHeight !== height) return
      isFollowing.current = height - area.scrollTop - area.clientHeight < NEAR_PX
      setIsAtEnd(isFollowing.current)
    }
    observer.observe(content.current!)
    observer.observe(area)
    area.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      area.removeEventListener('scroll', onScroll)
    }
  }, [])
  return { scrollArea, content, isAtEnd, scrollToEnd }
}
