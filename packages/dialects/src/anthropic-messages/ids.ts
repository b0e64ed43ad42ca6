/** What signatures, hosted tools and native parts of this dialect are marked with. */
export const DIALECT_ID = 'anthropic-messages'

const SAFE_ID = /^[a-zA-Z0-9_-]+$/

/**
 * Ids of calls as the vendor takes them: of few letters, and none twice in a conversation. An id is changed only when
 * it must be, and always in the same way, so that a conversation told again hits the vendor's cache.
 */
export function createCallIds(): (id: string) => string {
  const taken = new Set<string>()
  /** How often an id was given, so that one given ten thousand times is not counted up to each time. */
  const counts = new Map<string, number>()
  return (id) => {
    const safe = SAFE_ID.test(id) ? id : `${id.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}_${hashOf(id)}`
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

/** Calls that have no result yet, found by their id however many there are. */
interface PendingCalls<Call> {
  add(id: string, turn: object, call: Call): void
  /** The first call of that id in the latest turn that has one: some clients use their ids again. */
  take(id: string): Call | undefined
}

/** Calls of one id in one turn, of which those before `next` have their result. */
interface TurnCalls<Call> {
  readonly turn: object
  readonly calls: Call[]
  next: number
}

export function createPendingCalls<Call>(): PendingCalls<Call> {
  const rows = new Map<string, TurnCalls<Call>[]>()
  return {
    add(id, turn, call) {
      let ofId = rows.get(id)
      if (!ofId) rows.set(id, (ofId = []))
      const last = ofId.at(-1)
      if (last?.turn === turn) last.calls.push(call)
      else ofId.push({ turn, calls: [call], next: 0 })
    },
    take(id) {
      const ofId = rows.get(id)
      const last = ofId?.at(-1)
      if (!ofId || !last) return undefined
      const call = last.calls[last.next]
      last.next += 1
      if (last.next === last.calls.length) ofId.pop()
      return call
    },
  }
}
