import type { ReceivedRequest } from '@tidegate/testing'
import type { LogRow } from '../books.ts'
import { markOf, type SentRequest } from '../load.ts'
import { reconcile } from '../reconcile.ts'

/** What clients saw, counted by kind. */
export interface OutcomeCounts {
  complete: number
  /** Requests that were scripted to fail, to be cut off or to be aborted, and were. */
  asScripted: number
  /** Rejected because the user or the token had no credit left. */
  withoutCredit: number
  /** Rejected because of the fault, by code. */
  rejected: Record<string, number>
  /** Content, then an error or a lost connection. */
  broken: number
  /** No response: the connection was lost. */
  withoutResponse: number
  /** No gateway was listening. */
  unreachable: number
}

export interface ReconcileResult {
  outcomes: OutcomeCounts
  /** Billed from the journal of a killed process. */
  interrupted: number
  /** Served, but not billed exactly once for what the upstream sent. */
  lost: string[]
}

const NO_CREDIT = new Set(['insufficient_quota'])
const SCRIPTED_OUTCOMES: Record<string, SentRequest['result']['outcome']> = {
  error: 'rejected',
  cut: 'broken',
  leave: 'left',
}

/** `processDies`: a gateway is killed. `linkBreaks`: what the upstream sent may not have arrived. */
export interface FaultEffects {
  processDies?: boolean
  linkBreaks?: boolean
}

/** Checks that every served request is billed once and correctly: clients, upstream and log must agree. */
export function reconcileFault(
  requests: readonly SentRequest[],
  received: readonly ReceivedRequest[],
  rows: readonly LogRow[],
  { processDies = false, linkBreaks = false }: FaultEffects,
): ReconcileResult {
  const { failures, interrupted } = reconcile(
    sentRequestsOf(requests, received),
    onePerRequest(received, linkBreaks),
    rows,
    {
      mayDie: processDies,
    },
  )
  return { outcomes: countOutcomes(requests), interrupted, lost: failures }
}

/** Leaves out requests that never reached a gateway: nothing listened, or the connection closed before it was read. */
function sentRequestsOf(requests: readonly SentRequest[], received: readonly ReceivedRequest[]): SentRequest[] {
  const arrived = new Set(received.map((request) => markOf(request)?.index))
  return requests.filter(({ index, result }) => result.requestId !== undefined || arrived.has(index))
}

/**
 * The upstream can get a request twice if its first response was lost: the longest response counts. To the upstream, a
 * broken link looks like a client that left.
 */
function onePerRequest(received: readonly ReceivedRequest[], linkBreaks: boolean): ReceivedRequest[] {
  const fullest = new Map<number | undefined, ReceivedRequest>()
  for (const request of received) {
    const index = markOf(request)?.index
    const known = fullest.get(index)
    if (!known || known.sent.tokens <= request.sent.tokens) fullest.set(index, request)
  }
  const requests = [...fullest.values()]
  return linkBreaks
    ? requests.map((request) => ({ ...request, sent: { ...request.sent, outcome: 'cut' as const } }))
    : requests
}

function countOutcomes(requests: readonly SentRequest[]): OutcomeCounts {
  const counted: OutcomeCounts = {
    complete: 0,
    asScripted: 0,
    withoutCredit: 0,
    rejected: {},
    broken: 0,
    withoutResponse: 0,
    unreachable: 0,
  }
  for (const { kind, result } of requests) {
    const { outcome, code = '', status, chunks } = result
    if (outcome === 'complete') counted.complete++
    else if (NO_CREDIT.has(code)) counted.withoutCredit++
    else if (outcome === 'left' || (outcome === SCRIPTED_OUTCOMES[kind] && (kind !== 'error' || status === 500)))
      counted.asScripted++
    else if (outcome === 'rejected') counted.rejected[code] = (counted.rejected[code] ?? 0) + 1
    else if (outcome === 'unreachable') counted.unreachable++
    else if (chunks > 0) counted.broken++
    else counted.withoutResponse++
  }
  return counted
}
