import { DialectError } from '../canonical/errors.ts'

export const DIALECT_ID = 'gemini-generate'

/** Finds the call that a tool result belongs to. */
export interface CallMatcher {
  /** Adds a call and returns its id, or a generated id that is stable for the conversation. */
  add(call: { id: string; name: string; turn: number }): string
  /** Returns the id of the call that a result belongs to. */
  matchResult(result: { id: string; name: string }): string
}

/** Ids are optional in this protocol. Without them, results match calls of the same name in order. */
export function createCallMatcher(): CallMatcher {
  const calls: { id: string; name: string; hasResult: boolean }[] = []
  let lastTurn = -1
  let callsInTurn = 0
  return {
    add({ id: givenId, name, turn }) {
      callsInTurn = turn === lastTurn ? callsInTurn + 1 : 0
      lastTurn = turn
      const id = givenId || `call_${turn}_${callsInTurn}`
      calls.push({ id, name, hasResult: false })
      return id
    },
    matchResult({ id, name }) {
      const call =
        (id && calls.find((call) => call.id === id)) || calls.find((call) => !call.hasResult && call.name === name)
      if (!call) {
        throw new DialectError(
          'invalid_request',
          `the functionResponse for ${name || id} does not match a functionCall`,
        )
      }
      call.hasResult = true
      return call.id
    },
  }
}
