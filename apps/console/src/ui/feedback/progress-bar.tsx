import { useTranslation } from 'react-i18next'
import { Button } from '../kit/index.ts'
import styles from './progress-bar.module.css'

interface Props {
  /** What is being done: "Testing all channels". */
  title: string
  done: number
  total: number
  /** What it is busy with now. */
  current?: string
  /** Anything else worth a glance, such as how many failed. */
  aside?: string
  cancelling?: boolean
  onCancel(): void
}

/** Long work that goes on elsewhere: how far it is, what it is busy with, and a way to end it. */
export function WorkNotice({ title, done, total, current, aside, cancelling = false, onCancel }: Props) {
  const { t } = useTranslation()
  return (
    <section className={styles.notice} aria-label={title}>
      <div className={styles.words}>
        <strong>{title}</strong>
        <output className="number">
          {done} / {total}
        </output>
        {current && <span className={styles.current}>{current}</span>}
        {aside && <span className="secondary">{aside}</span>}
      </div>
      <Button size="small" loading={cancelling} onClick={onCancel}>
        {t('cancel')}
      </Button>
      <progress className={styles.progress} max={total} value={done} aria-label={title} />
    </section>
  )
}
