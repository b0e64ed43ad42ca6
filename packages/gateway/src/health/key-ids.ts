import { hash } from 'node:crypto'

const known = new WeakMap<readonly string[], readonly string[]>()

/** Short names for keys, in their order: safe to keep and to compare, and the same in every snapshot. */
export function keyIdsOf(keys: readonly string[]): readonly string[] {
  let ids = known.get(keys)
  if (!ids) known.set(keys, (ids = keys.map(keyIdOf)))
  return ids
}

export function keyIdOf(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, 12)
}
