import type { ProbeResult } from './probe-model.ts'

export interface TestRun {
  models: readonly string[]
  /** How many are tested at once. */
  concurrency: number
  probe(model: string, signal: AbortSignal): Promise<ProbeResult>
  onStart(model: string): void
  onResult(model: string, result: ProbeResult): void
  signal: AbortSignal
  wait?(milliseconds: number, signal: AbortSignal): Promise<void>
}

export const CONCURRENCY = { least: 1, most: 10, usual: 3 } as const
const MOST_RETRIES = 2
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 5000

/**
 * Tests models, a few at a time. What failed but may pass is tried again after a pause that grows. Ends early when it is
 * called off: what was not finished then has no result.
 */
export async function runTests(run: TestRun): Promise<'finished' | 'cancelled'> {
  const waiting = [...run.models]
  const worker = async () => {
    for (let model = waiting.shift(); model !== undefined; model = waiting.shift()) {
      run.signal.throwIfAborted()
      run.onStart(model)
      run.onResult(model, await testOne(model, run))
    }
  }
  const workers = Array.from({ length: Math.min(run.concurrency, waiting.length) }, worker)
  const ends = await Promise.allSettled(workers)
  if (run.signal.aborted) return 'cancelled'
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return 'finished'
}

async function testOne(model: string, { probe, signal, wait = pause }: TestRun): Promise<ProbeResult> {
  for (let retries = 0; ; retries += 1) {
    const result = await probe(model, signal)
    signal.throwIfAborted()
    if (result.ok || !result.retryable || retries === MOST_RETRIES) return result
    await wait(Math.min(FIRST_PAUSE_MS * 2 ** retries, LONGEST_PAUSE_MS), signal)
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason as Error)
      },
      { once: true },
    )
  })
}
