import type { ReceivedRequest } from '@tidegate/testing'
import type { LogRow } from '../books.ts'
import { markOf, type SentRequest } from '../load.ts'
import { reconcile } from '../reconcile.ts'

/** What clients saw, in kinds that can be counted. */
export interface OutcomeCounts {
  complete: number
  /** Calls that were made to fail, to be cut or to be left, and were. */
  asScripted: number
  /** Refused because the user or the token had no credit left. */
  withoutCredit: number
  /** Refused for the fault's sake, by code. */
  rejected: Record<string, number>
  /** Content, and then an error or a lost connection. */
  broken: number
  /** No answer at all: the connection was lost. */
  withoutResponse: number
  /** Nobody listened, on any gateway. */
  unreachable: number
}

export interface ReconcileResult {
  outcomes: OutcomeCounts
  /** Billed by what a process that died had noted. */
  interrupted: number
  /** Answered, and not billed exactly once for what the upstream sent. */
  lost: string[]
}

const NO_CREDIT = new Set(['insufficient_quota'])
const SCRIPTED_OUTCOMES: Record<string, SentRequest['result']['outcome']> = {
  error: 'refused',
  cut: 'broken',
  leave: 'left',
}

/** `processDies`: a gateway is killed. `wayBreaks`: what the upstream sent may not have arrived. */
export interface FaultEffects {
  processDies?: boolean
  linkBreaks?: boolean
}

/** Every answered call once in the books, for what it was: clients' list, upstream's list and the log agree. */
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

/** Without those that never were a call to anybody: nobody listened, or the connection closed before it was read. */
function sentRequestsOf(requests: readonly SentRequest[], received: readonly ReceivedRequest[]): SentRequest[] {
  const arrived = new Set(received.map((request) => markOf(request)?.index))
  return requests.filter(({ index, result }) => result.requestId !== undefined || arrived.has(index))
}

/**
 * The upstream may be asked again when its first answer did not get through: the fullest is the one that counts. What the
 * way there cut off looks to the upstream as if the caller had left.
 */
function onePerRequest(received: readonly ReceivedRequest[], linkBreaks: boolean): ReceivedRequest[] {
  const fullest = new Map<number | undefined, ReceivedRequest>()
  for (const request of received) {
    const index = markOf(request)?.index
    const known = fullest.get(index)
    if (!known || known.sent.tokens <= request.sent.tokens) fullest.set(index, request)
  }
  const kept = [...fullest.values()]
  return linkBreaks ? kept.map((request) => ({ ...request, sent: { ...request.sent, outcome: 'cut' as const } })) : kept
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
    else if (outcome === 'refused') counted.rejected[code] = (counted.rejected[code] ?? 0) + 1
    else if (outcome === 'unreachable') counted.unreachable++
    else if (chunks > 0) counted.broken++
    else counted.withoutResponse++
  }
  return counted
}
