import { waitForLogRow } from '../../../components/receipt/wait-for-log-row.ts'
import type { Answer } from '../conversation/conversation.ts'

interface PendingCost {
  requestId: string
  save(cost: Pick<Answer, 'quota' | 'inputTokens' | 'outputTokens'>): void
  /** Set while the log is polled. */
  polling: AbortController | null
}

/** Answers whose cost is not known yet, by answer ID. */
const pending = new Map<string, PendingCost>()
let isPageOpen = false

/** Loads the cost of an answer as soon as the page is open. */
export function loadCost(answerId: string, requestId: string, save: PendingCost['save']): void {
  pending.set(answerId, { requestId, save, polling: null })
  if (isPageOpen) void poll(answerId)
}

/** Loads costs while the page is open. Returns a function that stops it, for an effect. */
export function loadPendingCosts(): () => void {
  isPageOpen = true
  for (const answerId of pending.keys()) void poll(answerId)
  return () => {
    isPageOpen = false
    for (const { polling } of pending.values()) polling?.abort()
  }
}

/** Cancels loading for deleted answers. */
export function cancelCosts(isDeleted: (answerId: string) => boolean): void {
  for (const [answerId, { polling }] of pending) {
    if (!isDeleted(answerId)) continue
    pending.delete(answerId)
    polling?.abort()
  }
}

async function poll(answerId: string): Promise<void> {
  const cost = pending.get(answerId)!
  const polling = new AbortController()
  cost.polling = polling
  try {
    const row = await waitForLogRow(cost.requestId, polling.signal)
    // The log also has the token counts of a stream that ended without them.
    if (row) cost.save({ quota: row.quota, inputTokens: row.prompt_tokens, outputTokens: row.completion_tokens })
  } catch {
    if (polling.signal.aborted) return
    // The cost is still in the log; the answer is complete without it.
  }
  pending.delete(answerId)
}
