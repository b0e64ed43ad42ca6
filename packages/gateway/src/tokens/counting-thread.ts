import { Worker } from 'node:worker_threads'

export interface CountOrder {
  readonly id: number
  readonly model: string
  readonly texts: readonly string[]
}

export type CountAnswer =
  | { readonly id: number; readonly tokens: number }
  | { readonly id: number; readonly error: unknown }

interface Waiting {
  resolve(tokens: number): void
  reject(error: unknown): void
}

/** Its vocabularies hold some hundred megabytes, which a process that counts rarely should have back. */
const IDLE_MS = 5 * 60_000

let thread: { worker: Worker; waiting: Map<number, Waiting>; idle: NodeJS.Timeout } | undefined
let lastId = 0

/** Counts in the one thread kept for it, which starts with the first order and ends when none came for a while. */
export function countOnThread(model: string, texts: readonly string[]): Promise<number> {
  const { worker, waiting, idle } = (thread ??= start())
  const id = (lastId += 1)
  idle.refresh()
  worker.ref() // a process must not exit while somebody waits
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage({ id, model, texts } satisfies CountOrder)
  })
}

function start(): NonNullable<typeof thread> {
  const worker = new Worker(new URL('./count-worker.ts', import.meta.url))
  const waiting = new Map<number, Waiting>()
  worker.on('message', (answer: CountAnswer) => {
    const order = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0) worker.unref()
    if ('tokens' in answer) order?.resolve(answer.tokens)
    else order?.reject(answer.error)
  })
  const giveUp = (error: unknown) => {
    if (thread?.worker === worker) thread = undefined
    clearTimeout(idle)
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on('error', giveUp)
  worker.on('exit', () => giveUp(new Error('the counting thread ended')))
  const idle = setTimeout(() => {
    if (waiting.size > 0) idle.refresh()
    else void worker.terminate()
  }, IDLE_MS)
  idle.unref()
  return { worker, waiting, idle }
}
