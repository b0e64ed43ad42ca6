import { PALETTES, type ThemeMode } from './theme/palette.ts'

/** Ten that stay apart for colour-blind readers too, by lightness where not by hue; the same order in both themes. */
export const MODEL_PALETTE: Record<ThemeMode, readonly string[]> = {
  light: ['#2080f1', '#f7662d', '#2a6550', '#bf4c86', '#5b0e93', '#856919', '#06435b', '#951b05', '#76a062', '#6769bf'],
  dark: ['#2f5fd6', '#ea5b1e', '#6ffadb', '#cb85ae', '#85609c', '#fedd4d', '#4dc4fa', '#b4393a', '#9cba75', '#8588f6'],
}

/** How many models one chart tells apart; the rest are drawn together in grey. */
export const COLOURED_MODELS = 9

export const otherColor = (mode: ThemeMode): string => PALETTES[mode].faint

/**
 * A place in the palette for each model of a chart. A model has its place from its name, so that it looks the same on
 * every screen; of two that would share one, the first by name keeps it and the other moves to a place nobody wants.
 */
export function modelSlots(names: readonly string[]): Map<string, number> {
  const slots = new Map<string, number>()
  const taken = new Set<number>()
  const ordered = [...new Set(names)].sort().slice(0, PLACES)
  const moving: string[] = []
  for (const name of ordered) {
    const home = homeSlot(name)
    if (taken.has(home)) {
      moving.push(name)
      continue
    }
    taken.add(home)
    slots.set(name, home)
  }
  for (const name of moving) {
    let slot = homeSlot(name)
    while (taken.has(slot)) slot = (slot + 1) % PLACES
    taken.add(slot)
    slots.set(name, slot)
  }
  return slots
}

const PLACES = MODEL_PALETTE.light.length

/** FNV-1a with a last stir: names that differ in one letter only should not sit side by side. */
function homeSlot(name: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return ((hash ^ (hash >>> 13)) >>> 0) % PLACES
}
