import { ArrowDownOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsNarrow } from '../../../lib/use-media.ts'
import { Button } from '../../../ui/kit/index.ts'
import { answersOf, isUnderWay } from '../conversation/conversation.ts'
import { currentConversation, usePlayground } from '../conversation/store.ts'
import type { Offers } from '../use-offers.ts'
import { ColumnHeads } from './column-heads.tsx'
import { Greeting } from './greeting.tsx'
import { TurnView } from './turn-view.tsx'
import { useStickToEnd } from './use-stick-to-end.ts'
import styles from './view.module.css'

/** Everything that was said, the newest at the end, where the view stays while words arrive. */
export function ConversationView({ models, isLoading }: Pick<Offers, 'models' | 'isLoading'>) {
  const { t } = useTranslation('playground')
  const conversation = usePlayground(currentConversation)
  const isNarrow = useIsNarrow()
  const [chosen, setChosen] = useState('')
  const { id, columns, turns } = conversation
  const { place, content, isAtEnd, toEnd } = useStickToEnd(`${id}:${turns.length}`)
  // Side by side there is room for none of them on a phone: there they take turns.
  const shown = isNarrow ? [columns.find((column) => column.id === chosen) ?? columns[0]!] : columns
  const isBusy = answersOf(conversation).some(isUnderWay)
  return (
    <div className={styles.frame}>
      {columns.length > 1 && (
        <ColumnHeads
          columns={columns}
          chosen={isNarrow ? shown[0]!.id : undefined}
          turns={turns}
          onChoose={setChosen}
        />
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <section ref={place} className={styles.scroll} aria-label={t('conversation')} tabIndex={0}>
        <div ref={content} className={styles.turns} data-columns={shown.length}>
          {turns.length === 0 && !isLoading && <Greeting hasModels={models.length > 0} />}
          {turns.map((turn, at) => (
            <TurnView key={turn.id} turn={turn} columns={shown} isLast={at === turns.length - 1} />
          ))}
        </div>
      </section>
      {!isAtEnd && (
        <Button
          className={styles.toEnd}
          shape="circle"
          icon={<ArrowDownOutlined aria-hidden />}
          aria-label={t('toEnd')}
          onClick={toEnd}
        />
      )}
      <output className="visually-hidden">{turns.length > 0 && (isBusy ? t('busy') : t('ready'))}</output>
    </div>
  )
}
