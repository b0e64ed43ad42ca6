import { useTranslation } from 'react-i18next'
import styles from './palette.module.css'

/** Which keys do what, for those who have keys. */
export function PaletteKeys() {
  const { t } = useTranslation('palette')
  return (
    <div className={styles.keys} aria-hidden>
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> {t('keys.choose')}
      </span>
      <span>
        <kbd>↵</kbd> {t('keys.run')}
      </span>
      <span>
        <kbd>Esc</kbd> {t('keys.close')}
      </span>
    </div>
  )
}
