import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/**
 * The same function, which remembers what it made of the latest secrets. They are kept under plain hashes: those cost a
 * fraction of keyed ones, and memory holds no secret for it.
 */
export function rememberHashes(compute: (secret: string) => string, max = 50_000): (secret: string) => string {
  const known = new LRUCache<string, string>({ max })
  return (secret) => {
    const name = hash('sha256', secret, 'base64url')
    let made = known.get(name)
    if (made === undefined) known.set(name, (made = compute(secret)))
    return made
  }
}
