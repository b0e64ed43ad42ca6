import { PictureOutlined } from '@ant-design/icons'
import type { DrawingTask } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { stored } from '../../lib/stored.ts'
import { usePageState } from '../../lib/url-state.ts'
import { useLast } from '../../lib/use-last.ts'
import { useFilters } from '../../ui/filters/define-filters.ts'
import { Alert } from '../../ui/kit/index.ts'
import { TextDialog } from '../../ui/overlay/text-dialog.tsx'
import { useColumnChoice } from '../../ui/table/column-choice.ts'
import { ColumnSettingsButton } from '../../ui/table/column-settings.tsx'
import { imageTasksQuery } from './api.ts'
import { imageFilters } from './filters.ts'
import {
  IMAGE_COLUMNS,
  imageOf,
  ImageTaskCard,
  nameOf,
  textOf,
  useImageColumns,
  type ImageTaskPart,
} from './image-columns.tsx'
import { ImageDialog } from './kinds/image.tsx'
import { TasksPage, useIsAdmin } from './tasks-page.tsx'
import styles from './tasks.module.css'

export default function ImageTasksPage() {
  const { t } = useTranslation('drawings')
  const { t: tasks } = useTranslation('tasks')
  const { t: common } = useTranslation()
  const isAdmin = useIsAdmin()
  const scope = isAdmin ? 'all' : 'own'
  const pages = usePageState()
  const filters = useFilters(imageFilters[scope])
  const query = useQuery(imageTasksQuery(scope, filters.values, pages))
  const [open, setOpen] = useState<ImageTaskPart | null>(null)
  const choice = useColumnChoice(IMAGE_COLUMNS, isAdmin)
  const columns = useImageColumns({ shown: choice.shown, rows: query.data?.rows, onOpen: setOpen })
  return (
    <>
      <TasksPage<DrawingTask, typeof imageFilters.all>
        title={t('title')}
        purpose={t('purpose')}
        note={isAdmin && <CallbacksAlert />}
        query={query}
        pages={pages}
        filters={{
          state: filters,
          fields: {
            task: { label: tasks('filters.task') },
            channel: isAdmin ? { label: tasks('filters.channel'), chip: t('columns.channel') } : undefined,
            range: { label: common('filters.range') },
          },
        }}
        tools={<ColumnSettingsButton choice={choice} titleOf={(column) => t(`columns.${column}`)} />}
        columns={columns}
        renderCard={(task) => <ImageTaskCard task={task} isAdmin={isAdmin} onOpen={setOpen} />}
        nameOf={nameOf}
        empty={{ icon: <PictureOutlined aria-hidden />, title: t('empty.title'), hint: t('empty.hint') }}
      />
      <Dialogs open={open} rows={query.data?.rows} onClose={() => setOpen(null)} />
    </>
  )
}

/** Explains why progress is updated in steps while providers do not send callbacks. Can be dismissed for good. */
function CallbacksAlert() {
  const { t } = useTranslation('drawings')
  const { mj_notify_enabled: hasCallbacks } = useStatus()
  const [isDismissed, setDismissed] = useState(() => stored.drawingCallbacksNoteRead.get() ?? false)
  if (hasCallbacks || isDismissed) return null
  return (
    <Alert
      className={styles.note}
      type="info"
      showIcon
      title={t('callbacksOff')}
      closable={{
        'aria-label': t('callbacksOffRead'),
        onClose: () => {
          stored.drawingCallbacksNoteRead.set(true)
          setDismissed(true)
        },
      }}
    />
  )
}

interface DialogsProps {
  open: ImageTaskPart | null
  /** The current rows, because an open task changes while its dialog is open. */
  rows: readonly DrawingTask[] | undefined
  onClose(): void
}

function Dialogs({ open, rows, onClose }: DialogsProps) {
  const { t } = useTranslation('drawings')
  const last = useLast(open)
  const task = rows?.find(({ id }) => id === last?.task.id) ?? last?.task
  return (
    <>
      <ImageDialog
        address={task && last?.part === 'image' ? imageOf(task) : null}
        open={open?.part === 'image'}
        title={t('image.title', { name: task ? nameOf(task) : '' })}
        alt={task?.prompt || t('image.words')}
        onClose={onClose}
      />
      <TextDialog
        shown={
          open && open.part !== 'image' && task
            ? { title: t(`columns.${open.part}`), text: textOf(task, open.part) }
            : null
        }
        onClose={onClose}
      />
    </>
  )
}
