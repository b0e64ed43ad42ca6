import { CustomerServiceOutlined } from '@ant-design/icons'
import type { MediaTask } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TaskList } from '../task-list.tsx'
import { useTaskScreen } from '../use-task-screen.ts'
import { MediaCard } from './media-card.tsx'
import { MediaDialogs } from './media-dialogs.tsx'
import { MediaFilters } from './media-filters.tsx'
import { usePlatformName } from './media-tags.tsx'
import { nameOf, type ShownPart } from './media-task.ts'
import { FILTERS, mediaTasksQuery } from './queries.ts'
import { COLUMNS, useMediaColumns, type ColumnKey } from './use-media-columns.tsx'

export default function MediaTasksPage() {
  const { t } = useTranslation('mediaTasks')
  const screen = useTaskScreen(FILTERS, COLUMNS)
  const { wholeSite, filters, pages, choice } = screen
  const tasks = useQuery(mediaTasksQuery({ wholeSite, filters, page: pages.page, size: pages.size }))
  const [shown, setShown] = useState<ShownPart | null>(null)
  const columns = useMediaColumns(choice.shown, setShown)
  const platformName = usePlatformName()
  return (
    <>
      <TaskList<MediaTask, ColumnKey>
        title={t('title')}
        purpose={t('purpose')}
        screen={screen}
        moreFilters={<MediaFilters filters={filters} onChange={screen.setFilters} />}
        platformName={platformName}
        tasks={tasks}
        columns={columns}
        titleOf={(column) => t(`columns.${column}`)}
        renderCard={(task) => <MediaCard task={task} wholeSite={wholeSite} onOpen={setShown} />}
        nameOf={nameOf}
        empty={{ icon: <CustomerServiceOutlined aria-hidden />, title: t('empty.title'), hint: t('empty.hint') }}
      />
      <MediaDialogs shown={shown} rows={tasks.data?.items} onClose={() => setShown(null)} />
    </>
  )
}
