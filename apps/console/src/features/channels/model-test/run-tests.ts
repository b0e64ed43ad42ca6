import { testChannel } from '@tidegate/contract/api'
import { callForFinding } from '../../../api/client.ts'
import { ApiError, errorText } from '../../../api/errors.ts'

export interface TestRun {
  models: readonly string[]
  /** Number of concurrent tests. */
  concurrency: number
  probe(model: string, signal: AbortSignal): Promise<ProbeResult>
  onStart(model: string): void
  onResult(model: string, result: ProbeResult): void
  signal: AbortSignal
  wait?(milliseconds: number, signal: AbortSignal): Promise<void>
}

export const CONCURRENCY = { least: 1, most: 10, usual: 3 } as const
const MAX_RETRIES = 2
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 5000

/**
 * Tests several models concurrently. Retryable failures are retried with a growing delay. After a cancellation,
 * unfinished models have no result.
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
    if (result.ok || !result.retryable || retries === MAX_RETRIES) return result
    await wait(Math.min(FIRST_PAUSE_MS * 2 ** retries, MAX_PAUSE_MS), signal)
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

export interface ProbeResult {
  ok: boolean
  /** Error message; blank after a success. */
  message: string
  seconds: number
  /** The tested model. */
  model: string
  /** A retry may succeed. */
  retryable: boolean
}

export interface ProbeOrder {
  channelId: number
  /** By default the test model of the channel. */
  model?: string
  stream?: boolean
  signal?: AbortSignal
}

/** Sends one small request through a channel. Throws only when aborted. */
export async function probeModel({ channelId, model = '', stream = false, signal }: ProbeOrder): Promise<ProbeResult> {
  try {
    const finding = await callForFinding(testChannel, {
      params: { id: channelId },
      query: { model, ...(stream && { stream }) },
      ...(signal && { signal }),
    })
    const { success, message, time, code, status } = finding
    return {
      ok: success,
      message,
      seconds: time ?? 0, // errors have none
      model: finding.model ?? model,
      retryable: !success && !FINAL_CODES.has(code ?? '') && !isFinal(status, message),
    }
  } catch (error) {
    signal?.throwIfAborted()
    const status = error instanceof ApiError ? error.status : 0
    return { ok: false, message: errorText(error), seconds: 0, model, retryable: status !== 401 && status !== 404 }
  }
}

/** Errors of Tidegate that a retry cannot change. */
const FINAL_CODES = new Set(['channel_not_found', 'channel_test_unsupported', 'channel_test_off', 'demo_site'])

/** The provider rejected the key, the model or the request. */
const FINAL_STATUSES = new Set([400, 401, 403, 404, 405, 422])

/** Whether a retry cannot change the result. The message decides only if the provider returned no status. */
function isFinal(status: number | undefined, message: string): boolean {
  if (status !== undefined) return FINAL_STATUSES.has(status)
  return /api[ _-]?key|unauthor|forbidden|permission|not (?:found|supported|exist)|does not exist|invalid|密钥|不存在|不支持/i.test(
    message,
  )
}
