import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { HistoryButton } from './history/history-button.tsx'
import { anchorOf } from './option-text.ts'
import type { SectionId } from './sections/index.ts'
import styles from './settings.module.css'

/** A section under its heading, where links of the navigation lead. */
export function SectionCard({ id, children }: { id: SectionId; children: ReactNode }) {
  const { t } = useTranslation('settings')
  const anchor = anchorOf(id)
  return (
    <section id={anchor} className={styles.card} aria-labelledby={`${anchor}-title`} tabIndex={-1}>
      {id === 'mapping' && (
        <div className={styles.corner}>
          <HistoryButton optionKey="global_model_mapping" label={t('parts.mapping.title')} isShown />
        </div>
      )}
      <h2 id={`${anchor}-title`} className={styles.title}>
        {t(`parts.${id}.title`)}
      </h2>
      <p className={styles.help}>{t(`parts.${id}.hint`)}</p>
      {children}
    </section>
  )
}
