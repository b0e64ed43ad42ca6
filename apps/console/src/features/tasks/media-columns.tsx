import { CaretRightOutlined, CustomerServiceOutlined, VideoCameraOutlined } from '@ant-design/icons'
import type { MediaTask } from '@tidegate/contract/api'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { columnDecimals, formatExactTime } from '../../lib/format.ts'
import { stored } from '../../lib/stored.ts'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import type { ColumnRules } from '../../ui/table/column-choice.ts'
import { FILL, type Column } from '../../ui/table/columns.ts'
import { RowButton } from '../../ui/table/row-button.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import {
  ActionName,
  CardState,
  LongText,
  Nothing,
  ownerFacts,
  TaskActions,
  taskColumns,
  TaskDuration,
  TaskId,
  TaskPrice,
  Thumbnail,
  useActionsColumn,
} from './cells.tsx'
import { PLATFORMS, type Platform } from './filters.ts'
import { hasData, isStoredVideo, mediaOf, titleOf, videoFormatOf } from './media-data.ts'
import { durationOf, usualDurations } from './task-values.ts'
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

/** Administrators hide ID and completion time at first, because the table would not fit a screen of 1440 px. */
export const MEDIA_COLUMNS: ColumnRules<ColumnKey> = {
  keys: KEYS,
  forAdministrators: new Set(['channel', 'user']),
  hiddenAtFirst: { administrator: new Set(['task', 'finished']), user: new Set() },
  from: { details: 1024, duration: 1024, channel: 1200, user: 1200, task: 1200, finished: 1200 },
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
  const actions = useActionsColumn()
  return useMemo((): Column<MediaTask>[] => {
    const usual = usualDurations(rows, kindOf)
    const columns: Record<ColumnKey, Column<MediaTask>> = {
      ...taskColumns(decimals),
      submitted: { render: (_, task) => <Time unixSeconds={task.submit_time} exact /> },
      finished: { render: (_, task) => <FinishTime task={task} /> },
      duration: { align: 'right', render: (_, task) => <MediaDuration task={task} usual={usual.get(kindOf(task))} /> },
      task: { render: (_, task) => <TaskId id={task.task_id} /> },
      type: {
        render: (_, task) => (
          <span className={styles.kind}>
            <PlatformName platform={task.platform} />
            <MediaAction action={task.action} />
          </span>
        ),
      },
      details: { ...FILL, render: (_, task) => <Result task={task} onOpen={onOpen} /> },
    }
    return [
      ...shown.map((key) => ({ key, title: t(`columns.${key}`), ...columns[key] })),
      { ...actions, render: (_, task) => <MediaActions task={task} onOpen={onOpen} /> },
    ]
  }, [t, shown, rows, decimals, actions, onOpen])
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
    <span className={styles.kind}>
      <PlatformName platform={task.platform} /> <MediaAction action={task.action} />
    </span>
  )
  return (
    <RowCard
      title={
        <span className={styles.cardTitle}>
          {title ? <PlatformName platform={task.platform} onlyIcon /> : kind}
          {title && <span className={styles.cardText}>{title}</span>}
        </span>
      }
      aside={<CardState task={task} />}
      actions={<MediaActions task={task} onOpen={onOpen} />}
      details={
        <>
          <Facts
            facts={[
              { term: t('columns.type'), value: kind },
              { term: t('columns.submitted'), value: <Time unixSeconds={task.submit_time} exact /> },
              { term: t('columns.finished'), value: <FinishTime task={task} /> },
              { term: t('columns.duration'), value: <MediaDuration task={task} /> },
              { term: t('columns.price'), value: <TaskPrice task={task} /> },
              ...(isAdmin ? ownerFacts(task, { channel: t('columns.channel'), user: t('columns.user') }) : []),
              { term: t('columns.task'), value: <TaskId id={task.task_id} /> },
            ]}
          />
          {task.fail_reason && (
            <span className={styles.result}>
              <FailureReason task={task} onOpen={onOpen} />
            </span>
          )}
        </>
      }
    />
  )
}

const kindOf = ({ platform, action }: MediaTask) => `${platform} ${action}`

/** Times of these tasks are in seconds. */
function MediaDuration({ task, usual }: { task: MediaTask; usual?: number | undefined }) {
  const seconds = durationOf(task)
  return (
    <TaskDuration
      milliseconds={seconds === null ? null : seconds * 1000}
      usual={usual === undefined ? undefined : usual * 1000}
    />
  )
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
  const { t } = useTranslation('tasks')
  const cover = mediaOf(props.task).songs[0]?.cover
  const { seconds, size } = videoFormatOf(props.task)
  const format = [seconds && t('seconds', { seconds }), size].filter(Boolean).join(' · ')
  // A failed task shows its reason instead.
  const title = titleOf(props.task) || (props.task.fail_reason ? '' : format)
  if (!title && !props.task.fail_reason) return <Nothing />
  return (
    <span className={styles.result}>
      {cover && <Thumbnail address={cover} />}
      {title && (
        <span className={styles.songTitle} title={title}>
          {title}
        </span>
      )}
      <FailureReason {...props} />
    </span>
  )
}

function MediaActions({ task, onOpen }: ResultProps) {
  const { t } = useTranslation('mediaTasks')
  const items = [
    ...(hasData(task.data)
      ? [{ key: 'data', label: t('data.show'), onClick: () => onOpen({ task, part: 'data' }) }]
      : []),
    ...(task.fail_reason
      ? [{ key: 'reason', label: t('reason'), onClick: () => onOpen({ task, part: 'reason' }) }]
      : []),
  ]
  return (
    <TaskActions id={task.task_id} name={nameOf(task)} items={items}>
      <PlayButtons task={task} onOpen={onOpen} />
    </TaskActions>
  )
}

function PlayButtons({ task, onOpen }: ResultProps) {
  const { t } = useTranslation('mediaTasks')
  const { songs, video } = mediaOf(task)
  const isOwn = useSession(({ user }) => user?.id === task.user_id)
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
      {(video !== null || (isOwn && isStoredVideo(task))) && (
        <RowButton {...button} label={t('video.watchOf', { name })} onClick={() => onOpen({ task, part: 'video' })}>
          <CaretRightOutlined aria-hidden /> {t('video.watch')}
        </RowButton>
      )}
    </>
  )
}

function FailureReason({ task, onOpen }: ResultProps) {
  const { t } = useTranslation('mediaTasks')
  if (!task.fail_reason) return null
  return (
    <LongText text={task.fail_reason} label={t('reason')} tone="bad" onOpen={() => onOpen({ task, part: 'reason' })} />
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

function PlatformName({ platform, onlyIcon = false }: { platform: string; onlyIcon?: boolean }) {
  const platformName = usePlatformName()
  const known = PLATFORMS.find((name) => name === platform)
  return (
    <span>
      {known && ICONS[known]} <span className={onlyIcon ? 'visually-hidden' : undefined}>{platformName(platform)}</span>
    </span>
  )
}

const ACTIONS = ['music', 'lyrics', 'generate', 'remix', 'text_to_video', 'image_to_video'] as const

function MediaAction({ action }: { action: string }) {
  const { t } = useTranslation('mediaTasks')
  const known = ACTIONS.find((name) => name === action.toLowerCase())
  return <ActionName action={action}>{known ? t(`actions.${known}`) : action || t('unknown')}</ActionName>
}
