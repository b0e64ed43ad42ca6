import * as api from '@tidegate/contract/api'
import { call } from '../../api/client.ts'

/** Ten seconds in all: requests are settled in batches shortly after they end. */
const PAUSES_MS = [300, 500, 700, 1000, 1500, 2000, 4000]

/**
 * Polls the log of the user for the row of a request. Returns null if it does not appear, for example on a site without
 * a log. Rejects when aborted.
 */
export async function waitForLogRow(requestId: string, signal: AbortSignal): Promise<api.UsageLog | null> {
  const query = { request_id: requestId, type: api.LOG_TYPE.consumption, p: 1, page_size: 1 }
  for (const milliseconds of PAUSES_MS) {
    await pause(milliseconds, signal)
    const { items } = await call(api.listOwnLogs, { query, signal })
    if (items[0]) return items[0]
  }
  return null
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', abort, { once: true })
  })
}
