import { FileImageOutlined, RollbackOutlined } from '@ant-design/icons'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Money } from '../../components/money.tsx'
import { formatCallPrice, formatColumnPrice } from '../../lib/format.ts'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import { useCopyText } from '../../ui/feedback/use-copy-text.tsx'
import { MenuButton } from '../../ui/overlay/menu-button.tsx'
import { NUMBER } from '../../ui/table/columns.ts'
import { isOpen, isSlow, percentIn, splitDuration, statusName, statusTone } from './task-values.ts'
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

interface DurationProps {
  milliseconds: number | null
  /** How long tasks of the same kind usually take, if that is known. */
  usual?: number | undefined
}

/** A task that took much longer than others of its kind is marked. */
export function TaskDuration({ milliseconds, usual }: DurationProps) {
  const { t } = useTranslation('tasks')
  if (milliseconds === null) return <Nothing />
  const write = (duration: number) => {
    const { minutes, seconds } = splitDuration(duration)
    return minutes === 0 ? t('seconds', { seconds }) : t('minutesAndSeconds', { minutes, seconds })
  }
  const text = <span className="number">{write(milliseconds)}</span>
  if (usual === undefined || !isSlow(milliseconds, usual)) return text
  const reason = t('slow', { usual: write(usual) })
  // No icon: a slow task that succeeded must not resemble a failed one.
  return (
    <span title={reason}>
      <StatusTag tone="warn" plain>
        {text}
        <span className="visually-hidden"> {reason}</span>
      </StatusTag>
    </span>
  )
}

interface ActionsProps {
  /** The provider's ID. */
  id: string
  name: string
  /** What the menu opens besides the ID. */
  items: readonly { key: string; label: string; onClick(): void }[]
  /** The main action. */
  children?: ReactNode
}

/** The last cell of a task: its main action, and a menu with the others. */
export function TaskActions({ id, name, items, children }: ActionsProps) {
  const { t } = useTranslation('tasks')
  const copy = useCopyText()
  const all = [...items, ...(id === '' ? [] : [{ key: 'id', label: t('copyTaskId'), onClick: () => void copy(id) }])]
  return (
    <span className={styles.actions}>
      {children}
      {all.length > 0 && <MenuButton label={t('actionsOf', { name })} items={() => all} />}
    </span>
  )
}

/** The column of `TaskActions`. Always shown, at the end. */
export function useActionsColumn() {
  const { t } = useTranslation('tasks')
  return useMemo(
    () =>
      ({
        key: 'actions',
        title: <span className="visually-hidden">{t('actions')}</span>,
        align: 'right',
        fixed: 'right',
      }) as const,
    [t],
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

/** State and price of a task on a card; an open task shows its progress instead of its price. */
export function CardState({ task }: { task: Task }) {
  return (
    <span className={styles.status}>
      <TaskStatus status={task.status} />
      {isOpen(task) ? <TaskProgress task={task} /> : <TaskPrice task={task} />}
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

interface ActionNameProps {
  /** As the API names it. */
  action: string
  children: ReactNode
}

/** Plain text: tags and colours belong to the status. */
export function ActionName({ action, children }: ActionNameProps) {
  return (
    <span className="secondary" title={action || undefined}>
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
  /** Undefined for an image that changes, which is shown only in the dialog. */
  address: string | undefined
}

/** An image that this server forwards. Its address has the configured host, which may differ from that of this page. */
const OWN_IMAGE = /^https?:\/\/[^/]+(\/mj\/image\/.+)$/

/** A small square of an image, or of an icon. The button or text around it has the name. */
export function Thumbnail({ address }: ThumbnailProps) {
  const [broken, setBroken] = useState('')
  if (address === undefined || broken === address) {
    return (
      <span className={styles.thumbnail} data-blank>
        <FileImageOutlined aria-hidden />
      </span>
    )
  }
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
