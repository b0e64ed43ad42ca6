import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isOpen } from './task-status.tsx'

interface Task {
  id: number
  status: string
}

interface Props<Row extends Task> {
  rows: readonly Row[] | undefined
  nameOf(row: Row): string
}

/** Tells those who cannot see the list that a task on it has ended. */
export function EndedNews<Row extends Task>({ rows, nameOf }: Props<Row>) {
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

/** The tasks that were open when the list was last drawn and are no more; kept until others end. */
function useEnded<Row extends Task>(rows: readonly Row[] | undefined): readonly Row[] {
  const [seen, setSeen] = useState<{ rows: readonly Row[] | undefined; ended: readonly Row[] }>({ rows, ended: [] })
  if (seen.rows !== rows) {
    const wasOpen = new Set(seen.rows?.filter(isOpen).map(({ id }) => id))
    const ended = (rows ?? []).filter((row) => !isOpen(row) && wasOpen.has(row.id))
    setSeen({ rows, ended: ended.length > 0 ? ended : seen.ended })
  }
  return seen.ended
}
