import { isAdmin } from '@tidegate/contract/api'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { ResourceList, type ResourcePage } from '../../components/resource/resource-list.tsx'
import { useBusy } from '../../lib/use-busy.ts'
import type { FilterSchema } from '../../ui/filters/define-filters.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { isOpen } from './task-values.ts'

interface Task {
  id: number
  status: string
}

type ListProps<Row extends Task, Schema extends FilterSchema> = Pick<
  ComponentProps<typeof ResourceList<Row, Schema>>,
  'pages' | 'filters' | 'tools' | 'columns' | 'renderCard' | 'empty'
>

interface Props<Row extends Task, Schema extends FilterSchema> extends ListProps<Row, Schema> {
  title: string
  purpose: string
  /** Shown between the header and the list. */
  note?: ReactNode
  query: UseQueryResult<ResourcePage<Row>>
  /** The name of a task in the announcement that it ended. */
  nameOf(row: Row): string
}

/** Administrators list the tasks of all users. */
export const useIsAdmin = (): boolean => useSession((session) => isAdmin(session.user?.role ?? 0))

/** A list of tasks that is polled while one of them is open. */
export function TasksPage<Row extends Task, Schema extends FilterSchema>({
  title,
  purpose,
  note,
  query,
  nameOf,
  ...list
}: Props<Row, Schema>) {
  const { busy, run } = useBusy<'refresh'>()
  return (
    <>
      <PageHeader title={title} purpose={purpose} />
      {note}
      <ResourceList
        {...list}
        label={title}
        query={query}
        rowKey={idOf}
        // Polling does not make the button busy.
        refresh={{ busy: busy !== null || query.isLoading, run: () => run('refresh', () => query.refetch()) }}
      />
      <EndedTasks rows={query.data?.rows} nameOf={nameOf} />
    </>
  )
}

const idOf = ({ id }: Task) => id

interface EndedProps<Row extends Task> {
  rows: readonly Row[] | undefined
  nameOf(row: Row): string
}

/** Announces to screen readers that tasks ended. */
function EndedTasks<Row extends Task>({ rows, nameOf }: EndedProps<Row>) {
  const { t } = useTranslation('tasks')
  const ended = useEnded(rows)
  return (
    <output className="visually-hidden" aria-live="polite">
      {ended
        .map((row) => t(row.status === 'SUCCESS' ? 'ended.success' : 'ended.failure', { name: nameOf(row) }))
        .join(' ')}
    </output>
  )
}

/** Tasks that ended since the previous rows. Kept until other tasks end. */
function useEnded<Row extends Task>(rows: readonly Row[] | undefined): readonly Row[] {
  const [previous, setPrevious] = useState<{ rows: readonly Row[] | undefined; ended: readonly Row[] }>({
    rows,
    ended: [],
  })
  if (previous.rows !== rows) {
    const wasOpen = new Set(previous.rows?.filter(isOpen).map(({ id }) => id))
    const ended = (rows ?? []).filter((row) => !isOpen(row) && wasOpen.has(row.id))
    setPrevious({ rows, ended: ended.length > 0 ? ended : previous.ended })
  }
  return previous.ended
}
