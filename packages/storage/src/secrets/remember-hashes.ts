import { LRUCache } from 'lru-cache'

/**
 * The same function, which remembers what it made of the latest secrets. It holds them as they are: another hash for each
 * call would cost more than all else that finds its caller, and whoever reads this memory finds the vendors' keys there.
 */
export function rememberHashes(compute: (secret: string) => string, max = 50_000): (secret: string) => string {
  const known = new LRUCache<string, string>({ max })
  return (secret) => {
    let made = known.get(secret)
    if (made !== undefined) return made
    made = compute(secret)
    if (secret.length <= LONGEST_KEPT) known.set(copyOf(secret), made)
    return made
  }
}

/** Keys are shorter; what is longer was made up by somebody, and would fill the memory. */
const LONGEST_KEPT = 256

/** Part of a text keeps all of it in memory, and a header can be long. */
function copyOf(text: string): string {
  return Buffer.from(text).toString()
}
