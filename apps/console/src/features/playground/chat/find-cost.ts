import * as api from '@tidegate/contract/api'
import { call } from '../../../api/client.ts'

/** Calls are booked in batches, a moment after they end. A site that keeps no log never tells. */
const PAUSES_MS = [300, 700, 1500, 3000, 6000]

/** The row of the log that bills an answer, or null when it does not appear. */
export async function findBill(requestId: string): Promise<api.UsageLog | null> {
  const query = { request_id: requestId, type: api.LOG_TYPE.consumption, p: 1, page_size: 1 }
  for (const pause of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    const { items } = await call(api.listOwnLogs, { query })
    if (items[0]) return items[0]
  }
  return null
}
