import { PictureOutlined } from '@ant-design/icons'
import type { DrawingTask } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TaskList } from '../task-list.tsx'
import { useTaskScreen } from '../use-task-screen.ts'
import { CallbacksNote } from './callbacks-note.tsx'
import { DrawingCard } from './drawing-card.tsx'
import { DrawingDialogs } from './drawing-dialogs.tsx'
import { nameOf, type ShownPart } from './drawing.ts'
import { drawingsQuery, FILTERS } from './queries.ts'
import { COLUMNS, useDrawingColumns, type ColumnKey } from './use-drawing-columns.tsx'

export default function DrawingsPage() {
  const { t } = useTranslation('drawings')
  const screen = useTaskScreen(FILTERS, COLUMNS)
  const { wholeSite, filters, pages, choice } = screen
  const drawings = useQuery(drawingsQuery({ wholeSite, filters, page: pages.page, size: pages.size }))
  const [shown, setShown] = useState<ShownPart | null>(null)
  const columns = useDrawingColumns(choice.shown, setShown)
  return (
    <>
      <TaskList<DrawingTask, ColumnKey>
        title={t('title')}
        purpose={t('purpose')}
        note={wholeSite && <CallbacksNote />}
        screen={screen}
        tasks={drawings}
        columns={columns}
        titleOf={(column) => t(`columns.${column}`)}
        renderCard={(drawing) => <DrawingCard drawing={drawing} wholeSite={wholeSite} onOpen={setShown} />}
        nameOf={nameOf}
        empty={{ icon: <PictureOutlined aria-hidden />, title: t('empty.title'), hint: t('empty.hint') }}
      />
      <DrawingDialogs shown={shown} rows={drawings.data?.items} onClose={() => setShown(null)} />
    </>
  )
}
