import { RollbackOutlined } from '@ant-design/icons'
import { useState, type CSSProperties, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Money } from '../../components/money.tsx'
import { formatCallPrice, formatColumnPrice } from '../../lib/format.ts'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import { useCopyText } from '../../ui/feedback/use-copy-text.tsx'
import { NUMBER } from '../../ui/table/columns.ts'
import { durationTone, isOpen, percentIn, splitDuration, statusName, statusTone } from './task-values.ts'
import styles from './tasks.module.css'

/** Fields that tasks of every kind have. */
interface Task {
  channel_id: number
  channel_name: string
  user_id: number
  username: string
  status: string
  progress: string
  quota: number
  refunded: boolean
}

const cell = (render: (task: Task) => ReactNode) => ({ render: (_: unknown, task: Task) => render(task) })

/** Columns that both lists have. All prices have the given number of decimals. */
export const taskColumns = (decimals: number) => ({
  channel: cell((task) => <TaskChannel id={task.channel_id} name={task.channel_name} />),
  user: cell((task) => <TaskUser id={task.user_id} name={task.username} />),
  status: cell((task) => (
    <span className={styles.status}>
      <TaskStatus status={task.status} />
      {isOpen(task) && <TaskProgress task={task} />}
    </span>
  )),
  price: { ...NUMBER, ...cell((task) => <TaskPrice task={task} decimals={decimals} />) },
})

export function Nothing() {
  return <span className="secondary">–</span>
}

export function TaskChannel({ id, name }: { id: number; name: string }) {
  if (id === 0) return <Nothing />
  return (
    <Link className={styles.place} to={`/admin/channels?keyword=${id}`} title={`#${id} ${name}`.trimEnd()}>
      {name || <span className="number">#{id}</span>}
    </Link>
  )
}

export function TaskUser({ id, name }: { id: number; name: string }) {
  return (
    <Link className={styles.place} to={`/admin/users?keyword=${id}`} title={name || undefined}>
      {name || <span className="number">#{id}</span>}
    </Link>
  )
}

/** The provider's ID of a task. A click copies it. */
export function TaskId({ id }: { id: string }) {
  const { t } = useTranslation('tasks')
  const copy = useCopyText()
  if (id === '') return <Nothing />
  return (
    <button
      type="button"
      className={`mono ${styles.id}`}
      title={id}
      aria-label={t('copyId', { id })}
      onClick={() => void copy(id)}
    >
      <span className={styles.idStart}>{id.slice(0, -VISIBLE_END)}</span>
      <span>{id.slice(-VISIBLE_END)}</span>
    </button>
  )
}

/** IDs of a provider have a common prefix, so their ends stay visible. */
const VISIBLE_END = 6

/** A slow task also has a text for screen readers. */
export function TaskDuration({ milliseconds }: { milliseconds: number | null }) {
  const { t } = useTranslation('tasks')
  if (milliseconds === null) return <Nothing />
  const tone = durationTone(milliseconds)
  const { minutes, seconds } = splitDuration(milliseconds)
  const text = (
    <span className="number">
      {minutes === 0 ? t('seconds', { seconds }) : t('minutesAndSeconds', { minutes, seconds })}
    </span>
  )
  if (tone === 'good') return text
  // No icon: a slow task that succeeded must not resemble a failed one.
  return (
    <StatusTag tone={tone} plain>
      <span className="visually-hidden">{t(`slow.${tone}`)} </span>
      {text}
    </StatusTag>
  )
}

/** The progress of an open task. */
export function TaskProgress({ task: { progress } }: { task: Pick<Task, 'progress'> }) {
  const { t } = useTranslation('tasks')
  const percent = percentIn(progress)
  return (
    <span className={styles.progress}>
      <progress className={styles.bar} aria-label={t('progress')} max={100} value={percent} />
      <span className="number">{percent}%</span>
    </span>
  )
}

interface PriceProps {
  task: Pick<Task, 'quota' | 'refunded'>
  /** In a column. A card shows as many as needed. */
  decimals?: number
}

/** A refunded price is crossed out, with an icon and a text for screen readers. */
export function TaskPrice({ task: { quota, refunded }, decimals }: PriceProps) {
  const { t } = useTranslation('tasks')
  if (!refunded) return <Money quota={quota} kind="call" decimals={decimals} />
  return (
    <span className={styles.price}>
      <span className={styles.refunded} title={t('refunded')}>
        <RollbackOutlined aria-hidden />
        <span className="visually-hidden">{t('refunded')}</span>
      </span>
      <s className="number">{decimals === undefined ? formatCallPrice(quota) : formatColumnPrice(quota, decimals)}</s>
    </span>
  )
}

export function TaskStatus({ status }: { status: string }) {
  const { t } = useTranslation('tasks')
  return <StatusTag tone={statusTone(status)}>{t(`statuses.${statusName(status)}`)}</StatusTag>
}

/** Adjacent actions get distant hues, so that related actions are easy to distinguish. */
const HUE_STEP = 137.5
const FIRST_HUE = 250

interface ActionTagProps {
  /** Index in the list of known actions, which decides the colour; -1 if the action is unknown. */
  index: number
  /** As the API names it. */
  action: string
  children: ReactNode
}

export function ActionTag({ index, action, children }: ActionTagProps) {
  if (index < 0) {
    return (
      <StatusTag tone="neutral" plain>
        {children}
      </StatusTag>
    )
  }
  const hue = Math.round((FIRST_HUE + index * HUE_STEP) % 360)
  return (
    <span className={styles.hue} style={{ '--hue': hue } as CSSProperties} title={action}>
      {children}
    </span>
  )
}

interface LongTextProps {
  text: string
  /** The heading of the column, for screen readers. */
  label: string
  tone?: 'bad'
  onOpen(): void
}

/** The part of a text that fits: one line in a table, two on a card. A click opens the whole text. */
export function LongText({ text, label, tone, onOpen }: LongTextProps) {
  if (text === '') return <Nothing />
  return (
    <button type="button" className={styles.long} data-tone={tone} title={text} aria-haspopup="dialog" onClick={onOpen}>
      <span className="visually-hidden">{label}: </span>
      {text}
    </button>
  )
}

interface ThumbnailProps {
  address: string
  /** Shown instead of an image that cannot be loaded. */
  fallback: ReactNode
}

/** An image that this server forwards. Its address has the configured host, which may differ from that of this page. */
const OWN_IMAGE = /^https?:\/\/[^/]+(\/mj\/image\/.+)$/

/** A small square of an image. The button or text around it has the name. */
export function Thumbnail({ address, fallback }: ThumbnailProps) {
  const [broken, setBroken] = useState('')
  if (broken === address) return fallback
  return (
    <img
      className={styles.thumbnail}
      src={OWN_IMAGE.exec(address)?.[1] ?? address}
      alt=""
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBroken(address)}
    />
  )
}

/** Channel and user of a task on a card, for administrators. */
export const ownerFacts = (task: Task, terms: { channel: string; user: string }) => [
  { term: terms.channel, value: <TaskChannel id={task.channel_id} name={task.channel_name} /> },
  { term: terms.user, value: <TaskUser id={task.user_id} name={task.username} /> },
]
