/** Marks signatures, hosted tools and native parts of this protocol. */
export const DIALECT_ID = 'anthropic-messages'

const SAFE_ID = /^[a-zA-Z0-9_-]+$/

/**
 * Call ids that the provider accepts: safe characters, and unique in a conversation. An id changes only if necessary
 * and always in the same way, so that a repeated conversation hits the provider's cache.
 */
export function createCallIds(): (id: string) => string {
  const taken = new Set<string>()
  /** Last suffix of each id, so that an id used many times is not counted from the start each time. */
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

/** Distinguishes ids that differ only in replaced characters. FNV-1a is enough, since it only has to differ. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}

/** Calls without a result, by id. Lookups do not slow down with the number of calls. */
interface PendingCalls<Call> {
  add(id: string, turn: object, call: Call): void
  /** First call with that id in the latest turn that has one. Some clients reuse ids. */
  take(id: string): Call | undefined
}

/** Calls with one id in one turn. Those before `next` have their result. */
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
