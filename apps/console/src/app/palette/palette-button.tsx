import { SearchOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import styles from './palette-button.module.css'
import { shortcutKeys, shortcutName } from './shortcut.ts'
import { openPalette } from './use-palette.ts'

/** Opens the palette and tells its shortcut; where there is little room it is a sign only. */
export function PaletteButton() {
  const { t } = useTranslation('shell')
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={t('palette')}
      aria-haspopup="dialog"
      aria-keyshortcuts={shortcutKeys()}
      onClick={openPalette}
    >
      <SearchOutlined aria-hidden />
      <span className={styles.words}>{t('palette')}</span>
      {/* Drawn by the stylesheet: as text it would be words that the button's name does not have. */}
      <span className={styles.key} data-keys={shortcutName()} aria-hidden />
    </button>
  )
}
