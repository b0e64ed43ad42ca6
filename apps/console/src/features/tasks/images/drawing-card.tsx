import type { DrawingTask } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { LongText, TaskChannel, TaskDuration, TaskId, TaskPrice, TaskProgress, TaskUser } from '../cells.tsx'
import { TaskStatusTag } from '../task-status.tsx'
import { Facts } from '../../../ui/page/facts.tsx'
import { RowCard } from '../../../ui/table/row-card.tsx'
import { Time } from '../../../ui/page/time.tsx'
import { durationOf, pictureOf, type ShownPart } from './drawing.ts'
import { DrawingAction, SubmitResult } from './drawing-tags.tsx'
import { ImageButton } from './image-button.tsx'

interface Props {
  drawing: DrawingTask
  wholeSite: boolean
  onOpen(part: ShownPart): void
}

/** On a phone: what was ordered and how it stands on top, then the words and what became of them. */
export function DrawingCard({ drawing, wholeSite, onOpen }: Props) {
  const { t } = useTranslation('drawings')
  const hasPicture = pictureOf(drawing) !== null
  return (
    <RowCard
      title={<DrawingAction action={drawing.action} />}
      aside={<TaskStatusTag status={drawing.status} />}
      actions={hasPicture && <ImageButton drawing={drawing} onOpen={onOpen} />}
    >
      {drawing.prompt && (
        <LongText
          text={drawing.prompt}
          label={t('columns.prompt')}
          onOpen={() => onOpen({ drawing, part: 'prompt' })}
        />
      )}
      <TaskProgress progress={drawing.progress} hasFailed={drawing.status === 'FAILURE'} />
      {drawing.fail_reason && (
        <LongText
          text={drawing.fail_reason}
          label={t('columns.reason')}
          tone="bad"
          onOpen={() => onOpen({ drawing, part: 'reason' })}
        />
      )}
      <Facts facts={facts()} />
    </RowCard>
  )

  function facts() {
    return [
      { term: t('columns.time'), value: <Time unixSeconds={drawing.submit_time / 1000} exact /> },
      { term: t('columns.duration'), value: <TaskDuration milliseconds={durationOf(drawing)} /> },
      { term: t('columns.price'), value: <TaskPrice quota={drawing.quota} refunded={drawing.refunded} /> },
      { term: t('columns.code'), value: <SubmitResult code={drawing.code} /> },
      ...(wholeSite
        ? [
            {
              term: t('columns.channel'),
              value: <TaskChannel id={drawing.channel_id} name={drawing.channel_name} />,
            },
            { term: t('columns.user'), value: <TaskUser id={drawing.user_id} name={drawing.username} /> },
          ]
        : []),
      { term: t('columns.task'), value: <TaskId id={drawing.mj_id} /> },
    ]
  }
}
