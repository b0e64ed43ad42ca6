import { fork } from 'node:child_process'
import { once } from 'node:events'
import { callChat, type PlannedCall, type SeenCall } from './send-chat.ts'

/** Makes many calls at once. */
export type Callers = (calls: readonly PlannedCall[]) => Promise<SeenCall[]>

export const fromThisProcess: Callers = (calls) => Promise.all(calls.map(callChat))

/** From several processes, each with its share, so that no single event loop puts the calls in a row. */
export function fromProcesses(count: number): Callers {
  return async (calls) => {
    const children = Array.from({ length: count }, () => fork(new URL('./client-process.ts', import.meta.url)))
    await Promise.all(children.map((child) => once(child, 'spawn')))
    const shares = children.map((_, index) => calls.filter((_, call) => call % count === index))
    const seen = await Promise.all(
      children.map(async (child, index) => {
        child.send(shares[index]!)
        const [answers] = (await once(child, 'message')) as [SeenCall[]]
        return answers
      }),
    )
    return seen.flat()
  }
}
