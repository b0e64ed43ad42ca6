import { create } from 'zustand'

interface PaletteState {
  isOpen: boolean
  /** What had the focus before, and gets it back. */
  opener: Element | null
}

export const usePalette = create<PaletteState>(() => ({ isOpen: false, opener: null }))

export function openPalette(): void {
  if (!usePalette.getState().isOpen) usePalette.setState({ isOpen: true, opener: document.activeElement })
}

export function closePalette(): void {
  usePalette.setState({ isOpen: false })
}
