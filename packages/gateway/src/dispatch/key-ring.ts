import type { CatalogChannel } from '../ports.ts'

export interface KeyRing {
  /** The channel's next key in turn. */
  next(channel: Pick<CatalogChannel, 'id' | 'keys'>): string
}

/** Uses the keys of each channel in turn; the turn begins anew when the keys change. */
export function createKeyRing(): KeyRing {
  const turns = new Map<number, { keys: readonly string[]; text: string; next: number }>()
  return {
    next({ id, keys }) {
      let turn = turns.get(id)
      // A new snapshot has new arrays, mostly with the same keys in them.
      if (turn?.keys !== keys) {
        const text = keys.join('\n')
        turn = { keys, text, next: turn?.text === text ? turn.next : 0 }
        turns.set(id, turn)
      }
      const key = keys[turn.next % keys.length] ?? ''
      turn.next = (turn.next + 1) % Math.max(1, keys.length)
      return key
    },
  }
}
