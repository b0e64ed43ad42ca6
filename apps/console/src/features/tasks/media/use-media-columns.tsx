import type { MediaTask } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ColumnRules } from '../../../ui/table/column-choice.ts'
import { formatExactTime } from '../../../lib/format.ts'
import { stored } from '../../../lib/stored.ts'
import { Nothing, TaskDuration, TaskId } from '../cells.tsx'
import { TASK_COLUMNS } from '../task-columns.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { Time } from '../../../ui/page/time.tsx'
import { hasOutcome } from './media-in.ts'
import { MediaAction, PlatformName } from './media-tags.tsx'
import { durationOf, type ShownPart } from './media-task.ts'
import { Outcome } from './outcome.tsx'

const KEYS = [
  'submitted',
  'finished',
  'duration',
  'channel',
  'user',
  'platform',
  'type',
  'task',
  'status',
  'progress',
  'details',
  'price',
] as const
export type ColumnKey = (typeof KEYS)[number]

export const COLUMNS: ColumnRules<ColumnKey> = {
  keys: KEYS,
  forAdministrators: new Set(['channel', 'user']),
  hiddenAtFirst: { administrator: new Set(), user: new Set() },
  item: stored.taskColumns,
}

export function useMediaColumns(shown: readonly ColumnKey[], onOpen: (part: ShownPart) => void): Column<MediaTask>[] {
  const { t } = useTranslation('mediaTasks')
  return useMemo(() => {
    const columns: Record<ColumnKey, Column<MediaTask>> = {
      ...TASK_COLUMNS,
      submitted: { render: (_, task) => <Time unixSeconds={task.submit_time} exact /> },
      finished: { render: (_, task) => <FinishTime task={task} /> },
      duration: { render: (_, task) => <TaskDuration milliseconds={durationOf(task)} /> },
      platform: { render: (_, task) => <PlatformName platform={task.platform} /> },
      type: { render: (_, task) => <MediaAction action={task.action} /> },
      task: { render: (_, task) => <TaskId id={task.task_id} /> },
      details: { render: (_, task) => (hasOutcome(task) ? <Outcome task={task} onOpen={onOpen} /> : <Nothing />) },
    }
    return shown.map((key) => ({ key, title: t(`columns.${key}`), ...columns[key] }))
  }, [t, shown, onOpen])
}

/** Without the day where that is the day of the order. */
export function FinishTime({ task: { submit_time, finish_time } }: { task: MediaTask }) {
  if (finish_time === 0) return <Nothing />
  const finished = formatExactTime(finish_time)
  const [day, time] = finished.split(' ')
  if (!formatExactTime(submit_time).startsWith(`${day} `)) return <Time unixSeconds={finish_time} exact />
  return (
    <time className="number" dateTime={new Date(finish_time * 1000).toISOString()} title={finished}>
      {time}
    </time>
  )
}
