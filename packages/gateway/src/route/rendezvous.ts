/**
 * Highest random weight hashing: every process of every node picks the same item for a conversation without shared
 * state. When an item is added or removed, only its own conversations move.
 */
export interface Rendezvous {
  /** The lowest score wins. The chances of an item are proportional to its weight; weight 0 loses to all others. */
  score(item: number | string, weight?: number): number
  /** The index of the winner; -1 for an empty list. */
  pick(items: readonly (number | string)[]): number
}

export function createRendezvous(conversation: string): Rendezvous {
  const seed = hashText(conversation)
  const score = (item: number | string, weight = 1) => {
    const number = typeof item === 'number' ? item : hashText(item)
    const chance = (mix(seed ^ mix(number)) + 0.5) / 2 ** 32
    // Without weight: the order is still the same everywhere.
    return weight > 0 ? -Math.log(chance) / weight : 1e9 + chance
  }
  return {
    score,
    pick(items) {
      const scores = items.map((item) => score(item))
      return scores.indexOf(Math.min(...scores))
    },
  }
}

/** FNV-1a, 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/** The finalizer of MurmurHash3: every bit of the input changes half of the output. */
function mix(number: number): number {
  let hash = number | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
