import { create } from 'zustand'

interface PaletteState {
  isOpen: boolean
  /** Gets the focus back when the palette closes. */
  opener: Element | null
  /** Also what people type while the palette is loading. */
  text: string
}

export const usePalette = create<PaletteState>(() => ({ isOpen: false, opener: null, text: '' }))

export function openPalette(): void {
  if (!usePalette.getState().isOpen) usePalette.setState({ isOpen: true, opener: document.activeElement, text: '' })
}

export function closePalette(): void {
  usePalette.setState({ isOpen: false })
}

/**
 * Takes a key that was pressed before the field of the palette has the focus. Returns false for keys that are none of
 * its business.
 */
export function takeEarlyKey({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || isComposing) return false
  const { text } = usePalette.getState()
  if (key === 'Backspace') usePalette.setState({ text: text.slice(0, -1) })
  else if ([...key].length === 1) usePalette.setState({ text: text + key })
  else return key === 'Enter' // there is no list to choose from yet
  return true
}
