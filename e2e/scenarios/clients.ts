import { fork } from 'node:child_process'
import { once } from 'node:events'
import { sendChat, type ChatRequest, type ChatResult } from './send-chat.ts'

/** Sends many requests concurrently. */
export type SendAll = (requests: readonly ChatRequest[]) => Promise<ChatResult[]>

export const fromThisProcess: SendAll = (requests) => Promise.all(requests.map(sendChat))

/** Uses several processes with a share each, so that no single event loop serializes the requests. */
export function fromProcesses(count: number): SendAll {
  return async (requests) => {
    const children = Array.from({ length: count }, () => fork(new URL('./client-process.ts', import.meta.url)))
    await Promise.all(children.map((child) => once(child, 'spawn')))
    const shares = children.map((_, index) => requests.filter((_, request) => request % count === index))
    const result = await Promise.all(
      children.map(async (child, index) => {
        child.send(shares[index]!)
        const [responses] = (await once(child, 'message')) as [ChatResult[]]
        return responses
      }),
    )
    return result.flat()
  }
}
