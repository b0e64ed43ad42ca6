import { useTranslation } from 'react-i18next'
import { Button } from '../kit/index.ts'
import styles from './progress-bar.module.css'

interface Props {
  /** Name of the task, such as "Testing all channels". */
  title: string
  done: number
  total: number
  /** The current item. */
  current?: string
  /** Additional information, such as the number of failures. */
  aside?: string
  cancelling?: boolean
  onCancel(): void
}

/** Progress of a background task, with a cancel button. */
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
