import { RollbackOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Money } from '../../components/money.tsx'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import { useCopyText } from '../../ui/feedback/use-copy-text.tsx'
import { durationTone, splitDuration } from './duration.ts'
import styles from './tasks.module.css'

/** Facts of a task that read the same in a table and on a card, whatever is made. */

export function Nothing() {
  return <span className="secondary">–</span>
}

export function TaskChannel({ id, name }: { id: number; name: string }) {
  if (id === 0) return <Nothing />
  return (
    <Link className={styles.place} to={`/admin/channels?keyword=${id}`} title={name || undefined}>
      <span className="number">#{id}</span> {name}
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

/** The vendor's name of a task, which a click copies. */
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
      <span className={styles.idStart}>{id.slice(0, -TELLING_END)}</span>
      <span>{id.slice(-TELLING_END)}</span>
    </button>
  )
}

const TELLING_END = 6

/** How long it took; a slow one says so in a word too. */
export function TaskDuration({ milliseconds }: { milliseconds: number | null }) {
  const { t } = useTranslation('tasks')
  if (milliseconds === null) return <Nothing />
  const tone = durationTone(milliseconds)
  const { minutes, seconds } = splitDuration(milliseconds)
  return (
    // No icon: a slow task that succeeded must not look like a failed one.
    <StatusTag tone={tone} plain>
      {tone !== 'good' && <span className="visually-hidden">{t(`slow.${tone}`)} </span>}
      <span className="number">
        {minutes === 0 ? t('seconds', { seconds }) : t('minutesAndSeconds', { minutes, seconds })}
      </span>
    </StatusTag>
  )
}

export function TaskProgress({ progress, hasFailed }: { progress: string; hasFailed: boolean }) {
  const { t } = useTranslation('tasks')
  const percent = percentIn(progress)
  return (
    <span className={styles.progress} data-failed={hasFailed || undefined}>
      <progress className={styles.bar} aria-label={t('progress')} max={100} value={percent} />
      <span className="number">{percent}%</span>
    </span>
  )
}

/** `35%` as a number that fits a bar, whatever a vendor writes. */
export function percentIn(progress: string): number {
  const percent = Number.parseInt(progress, 10)
  return Number.isFinite(percent) ? Math.min(Math.max(percent, 0), 100) : 0
}

/** What it cost. What was given back is crossed out, with a sign and, for those who cannot see that, a word. */
export function TaskPrice({ quota, refunded }: { quota: number; refunded: boolean }) {
  const { t } = useTranslation('tasks')
  if (!refunded) return <Money quota={quota} kind="call" />
  return (
    <span className={styles.price}>
      <span className={styles.refunded} title={t('refunded')}>
        <RollbackOutlined aria-hidden />
        <span className="visually-hidden">{t('refunded')}</span>
      </span>
      <s>
        <Money quota={quota} kind="call" />
      </s>
    </span>
  )
}

interface LongTextProps {
  text: string
  /** Which text it is, for people who cannot see the heading of its column. */
  label: string
  tone?: 'bad'
  onOpen(): void
}

/** As much of a text as fits on a line; a click opens all of it. */
export function LongText({ text, label, tone, onOpen }: LongTextProps) {
  if (text === '') return <Nothing />
  return (
    <button type="button" className={styles.long} data-tone={tone} aria-haspopup="dialog" onClick={onOpen}>
      <span className="visually-hidden">{label}: </span>
      {text}
    </button>
  )
}
