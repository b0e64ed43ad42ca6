import { CustomerServiceOutlined } from '@ant-design/icons'
import type { MediaTask } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageState } from '../../lib/url-state.ts'
import { useLast } from '../../lib/use-last.ts'
import { useFilters } from '../../ui/filters/define-filters.ts'
import { Modal } from '../../ui/kit/index.ts'
import { TextDialog, type ShownText } from '../../ui/overlay/text-dialog.tsx'
import { useColumnChoice } from '../../ui/table/column-choice.ts'
import { ColumnSettingsButton } from '../../ui/table/column-settings.tsx'
import { mediaTasksQuery } from './api.ts'
import { MEDIA_STATUSES, mediaFilters, PLATFORMS } from './filters.ts'
import { Songs } from './kinds/music.tsx'
import { StoredVideo, Video } from './kinds/video.tsx'
import {
  MEDIA_COLUMNS,
  MediaTaskCard,
  nameOf,
  useMediaColumns,
  usePlatformName,
  type MediaTaskPart,
} from './media-columns.tsx'
import { mediaOf, rawData } from './media-data.ts'
import { statusName } from './task-values.ts'
import { TasksPage, useIsAdmin } from './tasks-page.tsx'

export default function MediaTasksPage() {
  const { t } = useTranslation('mediaTasks')
  const isAdmin = useIsAdmin()
  const scope = isAdmin ? 'all' : 'own'
  const pages = usePageState()
  const filters = useFilters(mediaFilters[scope])
  const fields = useFilterFields(isAdmin)
  const query = useQuery(mediaTasksQuery(scope, filters.values, pages))
  const [open, setOpen] = useState<MediaTaskPart | null>(null)
  const choice = useColumnChoice(MEDIA_COLUMNS, isAdmin)
  const columns = useMediaColumns({ shown: choice.shown, rows: query.data?.rows, onOpen: setOpen })
  return (
    <>
      <TasksPage<MediaTask, typeof mediaFilters.all>
        title={t('title')}
        purpose={t('purpose')}
        query={query}
        pages={pages}
        filters={{ state: filters, fields }}
        tools={<ColumnSettingsButton choice={choice} titleOf={(column) => t(`columns.${column}`)} />}
        columns={columns}
        renderCard={(task) => <MediaTaskCard task={task} isAdmin={isAdmin} onOpen={setOpen} />}
        nameOf={nameOf}
        empty={{ icon: <CustomerServiceOutlined aria-hidden />, title: t('empty.title'), hint: t('empty.hint') }}
      />
      <Dialogs open={open} rows={query.data?.rows} onClose={() => setOpen(null)} />
    </>
  )
}

function useFilterFields(isAdmin: boolean) {
  const { t } = useTranslation('mediaTasks')
  const { t: tasks } = useTranslation('tasks')
  const { t: common } = useTranslation()
  const platformName = usePlatformName()
  return {
    task: { label: tasks('filters.task') },
    platform: {
      label: t('filters.platform'),
      wide: true,
      options: PLATFORMS.map((value) => ({ value, label: platformName(value) })),
    },
    status: {
      label: t('filters.status'),
      wide: true,
      options: MEDIA_STATUSES.map((value) => ({ value, label: tasks(`statuses.${statusName(value)}`) })),
    },
    channel: isAdmin ? { label: tasks('filters.channel'), chip: t('columns.channel') } : undefined,
    range: { label: common('filters.range') },
  }
}

interface DialogsProps {
  open: MediaTaskPart | null
  /** The current rows, because an open task changes while its dialog is open. */
  rows: readonly MediaTask[] | undefined
  onClose(): void
}

function Dialogs({ open, rows, onClose }: DialogsProps) {
  const { t } = useTranslation('mediaTasks')
  const last = useLast(open)
  const task = rows?.find(({ id }) => id === last?.task.id) ?? last?.task
  const name = task ? nameOf(task) : ''
  const { songs, video } = task ? mediaOf(task) : { songs: [], video: null }
  const dialog = { onCancel: onClose, footer: null, destroyOnHidden: true } as const
  return (
    <>
      <Modal {...dialog} title={t('songs.title', { name })} open={open?.part === 'songs'} width={560}>
        <Songs songs={songs} />
      </Modal>
      <Modal {...dialog} title={t('video.title', { name })} open={open?.part === 'video'} width={800}>
        {video !== null && <Video key={video} address={video} label={t('video.title', { name })} />}
        {task && video === null && <StoredVideo id={task.task_id} label={t('video.title', { name })} />}
      </Modal>
      <TextDialog shown={openText()} onClose={onClose} />
    </>
  )

  function openText(): ShownText | null {
    if (!task) return null
    if (open?.part === 'reason') return { title: t('reason'), text: task.fail_reason }
    if (open?.part === 'data') return { title: t('data.title', { name }), text: rawData(task), isCode: true }
    return null
  }
}
