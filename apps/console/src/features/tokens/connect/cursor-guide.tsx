import { useTranslation } from 'react-i18next'
import { ClientCard } from './client-card.tsx'
import styles from './connect.module.css'
import type { Connection } from './snippets/connection.ts'

/** Cursor is set up on its own screens, so the way there is part of the answer. */
export function CursorGuide({ shown, copied }: { shown: Connection; copied: Connection }) {
  const { t } = useTranslation('connect')
  return (
    <>
      <ol className={styles.steps}>
        <li>{t('cursorSteps.key')}</li>
        <li>{t('cursorSteps.address')}</li>
        <li>{t('cursorSteps.model')}</li>
      </ol>
      <ClientCard client="cursor" shown={shown} copied={copied} />
      <p className={styles.note}>{t('cursorSteps.note')}</p>
    </>
  )
}
