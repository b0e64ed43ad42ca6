import type { ReactNode } from 'react'
import { NUMBER } from '../../ui/table/columns.ts'
import { TaskChannel, TaskPrice, TaskProgress, TaskUser } from './cells.tsx'
import { TaskStatusTag } from './task-status.tsx'

/** What every task has, under the same names. */
interface AnyTask {
  channel_id: number
  channel_name: string
  user_id: number
  username: string
  status: string
  progress: string
  quota: number
  refunded: boolean
}

const cell = (show: (task: AnyTask) => ReactNode) => ({ render: (_: unknown, task: AnyTask) => show(task) })

/** Columns that read the same whatever is made. */
export const TASK_COLUMNS = {
  channel: cell((task) => <TaskChannel id={task.channel_id} name={task.channel_name} />),
  user: cell((task) => <TaskUser id={task.user_id} name={task.username} />),
  status: cell((task) => <TaskStatusTag status={task.status} />),
  progress: cell((task) => <TaskProgress progress={task.progress} hasFailed={task.status === 'FAILURE'} />),
  price: { ...NUMBER, ...cell((task) => <TaskPrice quota={task.quota} refunded={task.refunded} />) },
}
