import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { anchorOf } from './option-text.ts'
import type { SectionId } from './sections/index.ts'
import styles from './settings.module.css'

/** A section under its heading, where links of the navigation lead. */
export function SectionCard({ id, children }: { id: SectionId; children: ReactNode }) {
  const { t } = useTranslation('settings')
  const anchor = anchorOf(id)
  return (
    <section id={anchor} className={styles.card} aria-labelledby={`${anchor}-title`} tabIndex={-1}>
      <h2 id={`${anchor}-title`} className={styles.title}>
        {t(`parts.${id}.title`)}
      </h2>
      <p className={styles.help}>{t(`parts.${id}.hint`)}</p>
      {children}
    </section>
  )
}
