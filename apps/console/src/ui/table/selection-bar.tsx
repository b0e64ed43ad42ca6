import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../kit/index.ts'
import styles from './selection-bar.module.css'

interface Props {
  count: number
  onSelectPage(): void
  onClear(): void
  /** Actions on the selected rows. */
  children: ReactNode
}

/** Stays at the bottom of the window while rows are selected. */
export function SelectionBar({ count, onSelectPage, onClear, children }: Props) {
  const { t } = useTranslation()
  return (
    <section className={styles.bar} aria-label={t('selection.label')}>
      <output className={styles.count}>{t('selection.count', { count })}</output>
      <Button size="small" type="link" onClick={onSelectPage}>
        {t('selection.shown')}
      </Button>
      <Button size="small" type="link" onClick={onClear}>
        {t('selection.none')}
      </Button>
      <div className={styles.actions}>{children}</div>
    </section>
  )
}
