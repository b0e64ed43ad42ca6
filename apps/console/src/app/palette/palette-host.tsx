import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { errorText } from '../../api/errors.ts'
import { i18n } from '../../lib/i18n.ts'
import { toast } from '../../lib/toast.ts'
import type { Palette } from './palette.tsx'
import { isShortcut } from './shortcut.ts'
import { closePalette, openPalette, takeEarlyKey, usePalette } from './use-palette.ts'

/** Stands beside every screen and listens for the shortcut. The palette is fetched when it is first asked for. */
export function PaletteHost() {
  const isOpen = usePalette((state) => state.isOpen)
  const { key } = useLocation()
  const [loaded, setLoaded] = useState<{ Palette: typeof Palette } | null>(null)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (usePalette.getState().isOpen && !isInPalette(event.target) && takeEarlyKey(event)) event.preventDefault()
      if (!isShortcut(event)) return
      event.preventDefault() // the browser would go to its own search
      if (usePalette.getState().isOpen) closePalette()
      else openPalette()
    }
    // Before the fields of a screen, which may keep keys to themselves.
    document.addEventListener('keydown', listen, { capture: true })
    return () => document.removeEventListener('keydown', listen, { capture: true })
  }, [])
  useEffect(() => {
    if (!isOpen || loaded) return
    loadPalette().then(setLoaded, (error: unknown) => {
      closePalette()
      toast.error(errorText(error))
    })
  }, [isOpen, loaded])
  const place = useRef(key)
  useEffect(() => {
    if (place.current !== key) closePalette() // whoever went elsewhere is done here
    place.current = key
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
