import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './kit/index.ts'
import styles from './selection-bar.module.css'

interface Props {
  count: number
  /** Everything that the list shows now. */
  onSelectShown(): void
  onClear(): void
  onLeave(): void
  /** What can be done with the rows. */
  children: ReactNode
}

/** Stands where the filters were while rows are ticked: how many there are, and what can be done with them. */
export function SelectionBar({ count, onSelectShown, onClear, onLeave, children }: Props) {
  const { t } = useTranslation()
  return (
    <section className={styles.bar} aria-label={t('selection.label')}>
      <output className={styles.count}>{t('selection.count', { count })}</output>
      <Button size="small" type="link" onClick={onSelectShown}>
        {t('selection.shown')}
      </Button>
      {count > 0 && (
        <Button size="small" type="link" onClick={onClear}>
          {t('selection.none')}
        </Button>
      )}
      <div className={styles.actions}>
        {children}
        <Button onClick={onLeave}>{t('selection.leave')}</Button>
      </div>
    </section>
  )
}
