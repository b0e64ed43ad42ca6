import type { MediaTask } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { TaskChannel, TaskDuration, TaskId, TaskPrice, TaskProgress, TaskUser } from '../cells.tsx'
import { TaskStatusTag } from '../task-status.tsx'
import { Facts } from '../../../ui/page/facts.tsx'
import { RowCard } from '../../../ui/table/row-card.tsx'
import { Time } from '../../../ui/page/time.tsx'
import { hasOutcome } from './media-in.ts'
import { MediaAction, PlatformName } from './media-tags.tsx'
import { durationOf, type ShownPart } from './media-task.ts'
import styles from './media-tasks.module.css'
import { Outcome } from './outcome.tsx'
import { FinishTime } from './use-media-columns.tsx'

interface Props {
  task: MediaTask
  wholeSite: boolean
  onOpen(part: ShownPart): void
}

/** On a phone: what was ordered and how it stands on top. */
export function MediaCard({ task, wholeSite, onOpen }: Props) {
  const { t } = useTranslation('mediaTasks')
  return (
    <RowCard
      title={
        <span className={styles.cardTitle}>
          <PlatformName platform={task.platform} /> <MediaAction action={task.action} />
        </span>
      }
      aside={<TaskStatusTag status={task.status} />}
    >
      <TaskProgress progress={task.progress} hasFailed={task.status === 'FAILURE'} />
      <Facts facts={facts()} />
      {hasOutcome(task) && <Outcome task={task} onOpen={onOpen} />}
    </RowCard>
  )

  function facts() {
    return [
      { term: t('columns.submitted'), value: <Time unixSeconds={task.submit_time} exact /> },
      { term: t('columns.finished'), value: <FinishTime task={task} /> },
      { term: t('columns.duration'), value: <TaskDuration milliseconds={durationOf(task)} /> },
      { term: t('columns.price'), value: <TaskPrice quota={task.quota} refunded={task.refunded} /> },
      ...(wholeSite
        ? [
            { term: t('columns.channel'), value: <TaskChannel id={task.channel_id} name={task.channel_name} /> },
            { term: t('columns.user'), value: <TaskUser id={task.user_id} name={task.username} /> },
          ]
        : []),
      { term: t('columns.task'), value: <TaskId id={task.task_id} /> },
    ]
  }
}
