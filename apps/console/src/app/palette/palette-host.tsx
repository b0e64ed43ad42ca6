import { SearchOutlined } from '@ant-design/icons'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { errorText } from '../../api/errors.ts'
import { i18n } from '../../lib/i18n.ts'
import { toast } from '../../lib/toast.ts'
import styles from './palette-button.module.css'
import type { Palette } from './palette.tsx'
import {
  closePalette,
  handleEarlyKey,
  isShortcut,
  openPalette,
  shortcutKeys,
  shortcutName,
  usePalette,
} from './use-palette.ts'

/** Opens the palette by its shortcut on every page. The palette is loaded when it first opens. */
export function PaletteHost() {
  const isOpen = usePalette((state) => state.isOpen)
  const { key } = useLocation()
  const [loaded, setLoaded] = useState<{ Palette: typeof Palette } | null>(null)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (usePalette.getState().isOpen && !isInPalette(event.target) && handleEarlyKey(event)) event.preventDefault()
      if (!isShortcut(event)) return
      event.preventDefault() // the browser would focus its search field
      if (usePalette.getState().isOpen) closePalette()
      else openPalette()
    }
    // Captured, because fields can stop the propagation of keys.
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
  useEffect(() => {
    if (!isOpen || loaded) return
    loadPalette().then(setLoaded, (error: unknown) => {
      closePalette()
      toast.error(errorText(error))
    })
  }, [isOpen, loaded])
  const lastKey = useRef(key)
  useEffect(() => {
    if (lastKey.current !== key) closePalette() // the user opened another page
    lastKey.current = key
  }, [key])
  return loaded && <loaded.Palette open={isOpen} />
}

const isInPalette = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-palette]') !== null

/** Commands are also found by their Chinese and English names. */
async function loadPalette() {
  const [loaded] = await Promise.all([import('./palette.tsx'), i18n.loadLanguages(['zh', 'en'])])
  return loaded
}

/** Opens the palette and shows its shortcut. On narrow pages it is only an icon. */
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
      <span className={styles.label}>{t('palette')}</span>
      {/* Rendered by CSS, because visible text must be part of the accessible name. */}
      <span className={styles.keys} data-keys={shortcutName()} aria-hidden />
    </button>
  )
}
