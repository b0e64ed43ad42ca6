const SAFE = /^[a-zA-Z0-9_-]+$/

/**
 * Ids of calls as the vendor takes them: of few letters, and none twice in a conversation. An id is changed only when
 * it must be, and always in the same way, so that a conversation told again hits the vendor's cache.
 */
export function createCallIds(): (id: string) => string {
  const taken = new Set<string>()
  /** How often an id was given, so that one given ten thousand times is not counted up to each time. */
  const counts = new Map<string, number>()
  return (id) => {
    const safe = SAFE.test(id) ? id : `${id.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}_${hashOf(id)}`
    let count = counts.get(safe) ?? 1
    let unique = safe
    while (taken.has(unique)) unique = `${safe}_${(count += 1)}`
    counts.set(safe, count)
    taken.add(unique)
    return unique
  }
}

/** Keeps ids apart that differ only in what was replaced. FNV-1a: it need not be more than different. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}
