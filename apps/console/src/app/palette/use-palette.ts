import { create } from 'zustand'

interface PaletteState {
  isOpen: boolean
  /** The element that gets the focus back when the palette closes. */
  opener: Element | null
  /** The query, including keys that were typed while the palette was loading. */
  text: string
}

export const usePalette = create<PaletteState>(() => ({ isOpen: false, opener: null, text: '' }))

export function openPalette(): void {
  if (!usePalette.getState().isOpen) usePalette.setState({ isOpen: true, opener: document.activeElement, text: '' })
}

export function closePalette(): void {
  usePalette.setState({ isOpen: false })
}

/** Handles a key that was pressed before the field has the focus. Returns false for other keys. */
export function handleEarlyKey({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || isComposing) return false
  const { text } = usePalette.getState()
  if (key === 'Backspace') usePalette.setState({ text: text.slice(0, -1) })
  else if ([...key].length === 1) usePalette.setState({ text: text + key })
  else return key === 'Enter' // there is no list yet
  return true
}

/** On Apple devices Ctrl-K cuts the rest of a line, so the shortcut is ⌘K. */
const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent)

export const shortcutName = (): string => (isApple() ? '⌘K' : 'Ctrl K')

/** The shortcut for `aria-keyshortcuts`. */
export const shortcutKeys = (): string => (isApple() ? 'Meta+K' : 'Control+K')

export function isShortcut(event: KeyboardEvent): boolean {
  const { metaKey, ctrlKey, altKey, shiftKey, key } = event
  const isHeld = isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey
  return isHeld && !altKey && !shiftKey && key.toLowerCase() === 'k'
}
