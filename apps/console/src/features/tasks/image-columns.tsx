import { DRAWING_CODE, type DrawingTask } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { columnDecimals } from '../../lib/format.ts'
import { stored } from '../../lib/stored.ts'
import { StatusTag, type RowTone } from '../../ui/feedback/status-tag.tsx'
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
import { mediaAddress } from './media-data.ts'
import { durationOf, isOpen, usualDurations } from './task-values.ts'
import styles from './tasks.module.css'

/** The part of a task that a dialog shows. */
export interface ImageTaskPart {
  task: DrawingTask
  part: 'image' | TextPart
}

const TEXT_FIELDS = { prompt: 'prompt', promptEn: 'prompt_en', reason: 'fail_reason' } as const
type TextPart = keyof typeof TEXT_FIELDS

export const textOf = (task: DrawingTask, part: TextPart): string => task[TEXT_FIELDS[part]]

export const nameOf = ({ mj_id, id }: Pick<DrawingTask, 'mj_id' | 'id'>): string => mj_id || `#${id}`

/** The URL of the image. The URL of an open task changes with its progress, so that browsers do not cache the image. */
export function imageOf(task: DrawingTask): string | null {
  const address = mediaAddress(task.image_url)
  if (address === null || !isOpen(task) || !address.includes('/mj/image/')) return address
  return `${address}${address.includes('?') ? '&' : '?'}at=${encodeURIComponent(task.progress)}`
}

const KEYS = [
  'time',
  'image',
  'prompt',
  'promptEn',
  'type',
  'status',
  'duration',
  'channel',
  'user',
  'task',
  'code',
  'price',
] as const
type ColumnKey = (typeof KEYS)[number]

/** Hides the English prompt at first, because it repeats the prompt. Administrators also hide `code` to save space. */
export const IMAGE_COLUMNS: ColumnRules<ColumnKey> = {
  keys: KEYS,
  forAdministrators: new Set(['channel', 'user']),
  hiddenAtFirst: { administrator: new Set(['promptEn', 'code']), user: new Set(['promptEn']) },
  from: { type: 1024, duration: 1024, channel: 1200, user: 1200, task: 1200, code: 1200 },
  item: stored.drawingColumns,
}

type OnOpen = (part: ImageTaskPart) => void

interface ColumnOptions {
  shown: readonly ColumnKey[]
  rows: readonly DrawingTask[] | undefined
  onOpen: OnOpen
}

export function useImageColumns({ shown, rows = [], onOpen }: ColumnOptions): Column<DrawingTask>[] {
  const { t } = useTranslation('drawings')
  const decimals = columnDecimals(rows.map(({ quota }) => quota))
  const actions = useActionsColumn()
  return useMemo((): Column<DrawingTask>[] => {
    const usual = usualDurations(rows, ({ action }) => action)
    const columns: Record<ColumnKey, Column<DrawingTask>> = {
      ...taskColumns(decimals),
      time: { render: (_, task) => <Time unixSeconds={task.submit_time / 1000} exact /> },
      duration: {
        align: 'right',
        render: (_, task) => <TaskDuration milliseconds={durationOf(task)} usual={usual.get(task.action)} />,
      },
      type: { render: (_, task) => <ImageAction action={task.action} /> },
      task: { render: (_, task) => <TaskId id={task.mj_id} /> },
      code: { render: (_, task) => <SubmitResult code={task.code} /> },
      image: { render: (_, task) => <ImageButton task={task} onOpen={onOpen} /> },
      prompt: { ...FILL, render: (_, task) => <PromptOrReason task={task} onOpen={onOpen} /> },
      promptEn: { render: (_, task) => <TaskText task={task} part="promptEn" onOpen={onOpen} /> },
    }
    return [
      ...shown.map((key) => ({ key, title: t(`columns.${key}`), ...columns[key] })),
      { ...actions, render: (_, task) => <ImageActions task={task} onOpen={onOpen} /> },
    ]
  }, [t, shown, rows, decimals, actions, onOpen])
}

interface CardProps {
  task: DrawingTask
  isAdmin: boolean
  onOpen: OnOpen
}

export function ImageTaskCard({ task, isAdmin, onOpen }: CardProps) {
  const { t } = useTranslation('drawings')
  return (
    <RowCard
      title={
        <span className={styles.cardTitle}>
          {imageOf(task) !== null && <ImageButton task={task} onOpen={onOpen} />}
          {task.prompt ? <span className={styles.cardText}>{task.prompt}</span> : <ImageAction action={task.action} />}
        </span>
      }
      aside={<CardState task={task} />}
      actions={<ImageActions task={task} onOpen={onOpen} />}
      details={
        <>
          {task.prompt && <TaskText task={task} part="prompt" onOpen={onOpen} />}
          {task.fail_reason && <TaskText task={task} part="reason" onOpen={onOpen} />}
          <Facts
            facts={[
              { term: t('columns.type'), value: <ImageAction action={task.action} /> },
              { term: t('columns.time'), value: <Time unixSeconds={task.submit_time / 1000} exact /> },
              { term: t('columns.duration'), value: <TaskDuration milliseconds={durationOf(task)} /> },
              { term: t('columns.price'), value: <TaskPrice task={task} /> },
              { term: t('columns.code'), value: <SubmitResult code={task.code} /> },
              ...(isAdmin ? ownerFacts(task, { channel: t('columns.channel'), user: t('columns.user') }) : []),
              { term: t('columns.task'), value: <TaskId id={task.mj_id} /> },
            ]}
          />
        </>
      }
    />
  )
}

interface PartProps {
  task: DrawingTask
  onOpen: OnOpen
}

/** Why a task failed replaces its prompt, which the menu of the row opens: both do not fit. */
function PromptOrReason(props: PartProps) {
  return <TaskText {...props} part={props.task.fail_reason === '' ? 'prompt' : 'reason'} />
}

function TaskText({ task, part, onOpen }: PartProps & { part: TextPart }) {
  const { t } = useTranslation('drawings')
  return (
    <LongText
      text={textOf(task, part)}
      label={t(`columns.${part}`)}
      {...(part === 'reason' && { tone: 'bad' as const })}
      onOpen={() => onOpen({ task, part })}
    />
  )
}

/** Opens what the row shows in part. The image also opens from its thumbnail. */
function ImageActions({ task, onOpen }: PartProps) {
  const { t } = useTranslation('drawings')
  const texts = (Object.keys(TEXT_FIELDS) as TextPart[]).filter((part) => textOf(task, part) !== '')
  const items = [
    ...(imageOf(task) === null
      ? []
      : [{ key: 'image', label: t('image.show'), onClick: () => onOpen({ task, part: 'image' }) }]),
    ...texts.map((part) => ({ key: part, label: t(`columns.${part}`), onClick: () => onOpen({ task, part }) })),
  ]
  return <TaskActions id={task.mj_id} name={nameOf(task)} items={items} />
}

/** A thumbnail of a finished image. The image of an open task changes, so it has an icon. */
function ImageButton({ task, onOpen }: PartProps) {
  const { t } = useTranslation('drawings')
  const address = imageOf(task)
  if (address === null) return <Nothing />
  return (
    <span className={styles.imageButton}>
      <RowButton
        label={t('image.showOf', { name: nameOf(task) })}
        outlined
        main
        aria-haspopup="dialog"
        onClick={() => onOpen({ task, part: 'image' })}
      >
        <Thumbnail address={isOpen(task) ? undefined : address} />
      </RowButton>
    </span>
  )
}

const ACTIONS = [
  'IMAGINE',
  'UPSCALE',
  'VARIATION',
  'HIGH_VARIATION',
  'LOW_VARIATION',
  'PAN',
  'DESCRIBE',
  'BLEND',
  'UPLOAD',
  'SHORTEN',
  'REROLL',
  'INPAINT',
  'ZOOM',
  'CUSTOM_ZOOM',
  'MODAL',
  'SWAP_FACE',
] as const

function ImageAction({ action }: { action: string }) {
  const { t } = useTranslation('drawings')
  const known = ACTIONS.find((name) => name === action)
  return <ActionName action={action}>{known ? t(`actions.${known}`) : action || t('unknown')}</ActionName>
}

type CodeName = keyof typeof DRAWING_CODE

const CODE_TONES: Record<CodeName, RowTone> = {
  notSubmitted: 'neutral',
  submitted: 'usual',
  waiting: 'info',
  duplicate: 'warn',
}

/** The provider's response to the submission. */
function SubmitResult({ code }: { code: number }) {
  const { t } = useTranslation('drawings')
  const name = (Object.keys(DRAWING_CODE) as CodeName[]).find((known) => DRAWING_CODE[known] === code)
  return (
    <span title={String(code)}>
      <StatusTag tone={name ? CODE_TONES[name] : 'neutral'} plain>
        {name ? t(`codes.${name}`) : t('unknown')}
      </StatusTag>
    </span>
  )
}
