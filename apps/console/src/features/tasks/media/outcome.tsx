import { CaretRightOutlined } from '@ant-design/icons'
import type { MediaTask } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { LongText } from '../cells.tsx'
import { RowButton } from '../../../ui/table/row-button.tsx'
import { hasData, mediaOf } from './media-in.ts'
import { nameOf, type ShownPart } from './media-task.ts'
import styles from './media-tasks.module.css'

interface Props {
  task: MediaTask
  onOpen(part: ShownPart): void
}

/** What came of a task: something to play, or why there is nothing; and what the vendor said, as it came. */
export function Outcome({ task, onOpen }: Props) {
  const { t } = useTranslation('mediaTasks')
  const { songs, video } = mediaOf(task)
  const name = nameOf(task)
  const hasRaw = hasData(task.data)
  return (
    <span className={styles.outcome}>
      {songs.length > 0 && (
        <RowButton
          label={t('songs.listenTo', { number: songs.length, name })}
          outlined
          main
          aria-haspopup="dialog"
          onClick={() => onOpen({ task, part: 'songs' })}
        >
          <CaretRightOutlined aria-hidden /> {t('songs.listen', { number: songs.length })}
        </RowButton>
      )}
      {video !== null && (
        <RowButton
          label={t('video.watchOf', { name })}
          outlined
          main
          aria-haspopup="dialog"
          onClick={() => onOpen({ task, part: 'video' })}
        >
          <CaretRightOutlined aria-hidden /> {t('video.watch')}
        </RowButton>
      )}
      {task.fail_reason && (
        <LongText
          text={task.fail_reason}
          label={t('reason')}
          tone="bad"
          onOpen={() => onOpen({ task, part: 'reason' })}
        />
      )}
      {hasRaw && (
        <RowButton
          label={t('data.showOf', { name })}
          aria-haspopup="dialog"
          onClick={() => onOpen({ task, part: 'data' })}
        >
          {t('data.show')}
        </RowButton>
      )}
    </span>
  )
}
