import { Worker } from 'node:worker_threads'
import { modelTraits } from '@tidegate/contract'
import type { CountRequest, CountResult } from './vocabulary.ts'

/**
 * Counts tokens as the model does, in a worker thread: loading a vocabulary takes a quarter of a second, a long prompt
 * takes as long to count, and other streams must not wait.
 */
export async function countTokens(model: string, texts: readonly string[]): Promise<number> {
  const nonEmpty = texts.filter((text) => text !== '')
  return nonEmpty.length === 0 ? 0 : countOnThread(model, nonEmpty)
}

interface PendingCount {
  resolve(tokens: number): void
  reject(error: unknown): void
}

/** The vocabularies take some hundred megabytes, which are freed when a process rarely counts. */
const IDLE_MS = 5 * 60_000

let thread: { worker: Worker; waiting: Map<number, PendingCount>; idle: NodeJS.Timeout } | undefined
let lastId = 0

/** Counts in one worker thread, which starts on first use and ends when idle. */
function countOnThread(model: string, texts: readonly string[]): Promise<number> {
  const { worker, waiting, idle } = (thread ??= start())
  const id = (lastId += 1)
  idle.refresh()
  worker.ref() // the process must not exit while a count is pending
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    const vocabulary = modelTraits(model).vocabulary ?? 'cl100k'
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage({ id, vocabulary, texts } satisfies CountRequest)
  })
}

function start(): NonNullable<typeof thread> {
  const worker = new Worker(new URL('./count-worker.ts', import.meta.url))
  const waiting = new Map<number, PendingCount>()
  worker.on('message', (result: CountResult) => {
    const pending = waiting.get(result.id)
    waiting.delete(result.id)
    if (waiting.size === 0) worker.unref()
    if ('tokens' in result) pending?.resolve(result.tokens)
    else pending?.reject(result.error)
  })
  const fail = (error: unknown) => {
    if (thread?.worker === worker) thread = undefined
    clearTimeout(idle)
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the counting thread ended')))
  const idle = setTimeout(() => {
    if (waiting.size > 0) idle.refresh()
    else void worker.terminate()
  }, IDLE_MS)
  idle.unref()
  return { worker, waiting, idle }
}
