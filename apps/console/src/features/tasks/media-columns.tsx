import { CaretRightOutlined, CustomerServiceOutlined, VideoCameraOutlined } from '@ant-design/icons'
import type { MediaTask } from '@tidegate/contract/api'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { columnDecimals, formatExactTime } from '../../lib/format.ts'
import { stored } from '../../lib/stored.ts'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import type { ColumnRules } from '../../ui/table/column-choice.ts'
import type { Column } from '../../ui/table/columns.ts'
import { RowButton } from '../../ui/table/row-button.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import {
  ActionTag,
  LongText,
  Nothing,
  ownerFacts,
  taskColumns,
  TaskDuration,
  TaskId,
  TaskPrice,
  TaskProgress,
  TaskStatus,
  Thumbnail,
} from './cells.tsx'
import { PLATFORMS, type Platform } from './filters.ts'
import { hasData, hasResult, mediaOf, titleOf } from './media-data.ts'
import { durationOf, isOpen } from './task-values.ts'
import styles from './tasks.module.css'

/** The part of a task that a dialog shows. */
export interface MediaTaskPart {
  task: MediaTask
  part: 'songs' | 'video' | 'reason' | 'data'
}

export const nameOf = ({ task_id, id }: Pick<MediaTask, 'task_id' | 'id'>): string => task_id || `#${id}`

const KEYS = [
  'submitted',
  'type',
  'status',
  'details',
  'channel',
  'user',
  'task',
  'finished',
  'duration',
  'price',
] as const
type ColumnKey = (typeof KEYS)[number]

/** Administrators hide the completion time at first, because the table would not fit a screen of 1440 px. */
export const MEDIA_COLUMNS: ColumnRules<ColumnKey> = {
  keys: KEYS,
  forAdministrators: new Set(['channel', 'user']),
  hiddenAtFirst: { administrator: new Set(['finished']), user: new Set() },
  item: stored.taskColumns,
}

type OnOpen = (part: MediaTaskPart) => void

interface ColumnOptions {
  shown: readonly ColumnKey[]
  rows: readonly MediaTask[] | undefined
  onOpen: OnOpen
}

export function useMediaColumns({ shown, rows = [], onOpen }: ColumnOptions): Column<MediaTask>[] {
  const { t } = useTranslation('mediaTasks')
  const decimals = columnDecimals(rows.map(({ quota }) => quota))
  return useMemo(() => {
    const columns: Record<ColumnKey, Column<MediaTask>> = {
      ...taskColumns(decimals),
      submitted: { render: (_, task) => <Time unixSeconds={task.submit_time} exact /> },
      finished: { render: (_, task) => <FinishTime task={task} /> },
      duration: { align: 'right', render: (_, task) => <MediaDuration task={task} /> },
      task: { render: (_, task) => <TaskId id={task.task_id} /> },
      type: {
        render: (_, task) => (
          <span className={styles.kind}>
            <PlatformName platform={task.platform} />
            <MediaAction action={task.action} />
          </span>
        ),
      },
      details: { render: (_, task) => <Result task={task} onOpen={onOpen} /> },
    }
    return shown.map((key) => ({ key, title: t(`columns.${key}`), ...columns[key] }))
  }, [t, shown, decimals, onOpen])
}

interface CardProps {
  task: MediaTask
  isAdmin: boolean
  onOpen: OnOpen
}

export function MediaTaskCard({ task, isAdmin, onOpen }: CardProps) {
  const { t } = useTranslation('mediaTasks')
  const title = titleOf(task)
  const kind = (
    <>
      <PlatformName platform={task.platform} /> <MediaAction action={task.action} />
    </>
  )
  return (
    <RowCard
      title={title || <span className={styles.cardTitle}>{kind}</span>}
      aside={<TaskStatus status={task.status} />}
      line={
        <>
          {title && kind}
          <Time unixSeconds={task.submit_time} />
          {isOpen(task) ? <TaskProgress task={task} /> : <TaskPrice task={task} />}
          <span className={styles.lineEnd}>
            <PlayButtons task={task} onOpen={onOpen} />
          </span>
        </>
      }
      details={
        <>
          <Facts
            facts={[
              { term: t('columns.submitted'), value: <Time unixSeconds={task.submit_time} exact /> },
              { term: t('columns.finished'), value: <FinishTime task={task} /> },
              { term: t('columns.duration'), value: <MediaDuration task={task} /> },
              { term: t('columns.price'), value: <TaskPrice task={task} /> },
              ...(isAdmin ? ownerFacts(task, { channel: t('columns.channel'), user: t('columns.user') }) : []),
              { term: t('columns.task'), value: <TaskId id={task.task_id} /> },
            ]}
          />
          {hasResult(task) && (
            <span className={styles.result}>
              <ResultTexts task={task} onOpen={onOpen} />
            </span>
          )}
        </>
      }
    />
  )
}

/** Times of these tasks are in seconds. */
function MediaDuration({ task }: { task: MediaTask }) {
  const seconds = durationOf(task)
  return <TaskDuration milliseconds={seconds === null ? null : seconds * 1000} />
}

/** Without the date if the task was submitted on the same day. */
function FinishTime({ task: { submit_time, finish_time } }: { task: MediaTask }) {
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

interface ResultProps {
  task: MediaTask
  onOpen: OnOpen
}

function Result(props: ResultProps) {
  const cover = mediaOf(props.task).songs[0]?.cover
  const title = titleOf(props.task)
  if (!title && !hasResult(props.task)) return <Nothing />
  return (
    <span className={styles.result}>
      {cover && <Thumbnail address={cover} fallback={null} />}
      {title && (
        <span className={styles.songTitle} title={title}>
          {title}
        </span>
      )}
      <PlayButtons {...props} />
      <ResultTexts {...props} />
    </span>
  )
}

function PlayButtons({ task, onOpen }: ResultProps) {
  const { t } = useTranslation('mediaTasks')
  const { songs, video } = mediaOf(task)
  const name = nameOf(task)
  const button = { outlined: true, main: true, 'aria-haspopup': 'dialog' } as const
  return (
    <>
      {songs.length > 0 && (
        <RowButton
          {...button}
          label={t('songs.listenTo', { number: songs.length, name })}
          onClick={() => onOpen({ task, part: 'songs' })}
        >
          <CaretRightOutlined aria-hidden /> {t('songs.listen', { number: songs.length })}
        </RowButton>
      )}
      {video !== null && (
        <RowButton {...button} label={t('video.watchOf', { name })} onClick={() => onOpen({ task, part: 'video' })}>
          <CaretRightOutlined aria-hidden /> {t('video.watch')}
        </RowButton>
      )}
    </>
  )
}

/** The failure reason and the data of the provider. */
function ResultTexts({ task, onOpen }: ResultProps) {
  const { t } = useTranslation('mediaTasks')
  return (
    <>
      {task.fail_reason && (
        <LongText
          text={task.fail_reason}
          label={t('reason')}
          tone="bad"
          onOpen={() => onOpen({ task, part: 'reason' })}
        />
      )}
      {hasData(task.data) && (
        <RowButton
          label={t('data.showOf', { name: nameOf(task) })}
          aria-haspopup="dialog"
          onClick={() => onOpen({ task, part: 'data' })}
        >
          {t('data.show')}
        </RowButton>
      )}
    </>
  )
}

export function usePlatformName(): (platform: string) => string {
  const { t } = useTranslation('mediaTasks')
  return (platform) => {
    const known = PLATFORMS.find((name) => name === platform)
    return known ? t(`platforms.${known}`) : platform
  }
}

const ICONS: Record<Platform, ReactNode> = {
  suno: <CustomerServiceOutlined aria-hidden />,
  video: <VideoCameraOutlined aria-hidden />,
}

function PlatformName({ platform }: { platform: string }) {
  const platformName = usePlatformName()
  const known = PLATFORMS.find((name) => name === platform)
  return (
    <span>
      {known && ICONS[known]} {platformName(platform)}
    </span>
  )
}

const ACTIONS = ['music', 'lyrics', 'generate', 'remix'] as const

function MediaAction({ action }: { action: string }) {
  const { t } = useTranslation('mediaTasks')
  const index = ACTIONS.findIndex((known) => known === action.toLowerCase())
  const known = ACTIONS[index]
  return (
    <ActionTag index={index} action={action}>
      {known ? t(`actions.${known}`) : action || t('unknown')}
    </ActionTag>
  )
}
