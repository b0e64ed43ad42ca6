import * as api from '@tidegate/contract/api'
import { call } from '../../../../lib/call.ts'

const EVERY_MS = 500
/** Ten seconds in all: calls are booked in batches, a moment after they end. */
const MOST_LOOKS = 20

/** The row of the log that bills a call, or null when it does not appear. */
export async function findBill(requestId: string, signal: AbortSignal): Promise<api.UsageLog | null> {
  const query = { request_id: requestId, type: api.LOG_TYPE.consumption, p: 1, page_size: 1 }
  for (let look = 1; look <= MOST_LOOKS; look += 1) {
    const { items } = await call(api.listOwnLogs, { query, signal })
    if (items[0]) return items[0]
    if (look < MOST_LOOKS) await pause(signal)
  }
  return null
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, EVERY_MS)
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', giveUp, { once: true })
  })
}
