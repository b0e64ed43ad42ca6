/** Calls that have no result yet, found by their id however many there are. */
export interface WaitingCalls<Call> {
  add(id: string, turn: object, call: Call): void
  /** The first call of that id in the latest turn that has one: some clients use their ids again. */
  take(id: string): Call | undefined
}

/** Calls of one id in one turn, of which those before `next` have their result. */
interface Row<Call> {
  readonly turn: object
  readonly calls: Call[]
  next: number
}

export function createWaitingCalls<Call>(): WaitingCalls<Call> {
  const rows = new Map<string, Row<Call>[]>()
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
