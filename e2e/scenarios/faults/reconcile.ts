import type { ReceivedRequest } from '@tidegate/testing'
import type { LogRow } from '../books.ts'
import { markOf, type MadeCall } from '../load.ts'
import { reconcile } from '../reconcile.ts'

/** What clients saw, in kinds that can be counted. */
export interface Sightings {
  complete: number
  /** Calls that were made to fail, to be cut or to be left, and were. */
  asAsked: number
  /** Refused because the user or the token had no credit left. */
  withoutCredit: number
  /** Refused for the fault's sake, by code. */
  refused: Record<string, number>
  /** Content, and then an error or a lost connection. */
  broken: number
  /** No answer at all: the connection was lost. */
  unanswered: number
  /** Nobody listened, on any gateway. */
  unreachable: number
}

export interface Account {
  sightings: Sightings
  /** Billed by what a process that died had noted. */
  interrupted: number
  /** Answered, and not billed exactly once for what the upstream sent. */
  lost: string[]
}

const NO_CREDIT = new Set(['insufficient_quota'])
const ASKED: Record<string, MadeCall['seen']['outcome']> = { error: 'refused', cut: 'broken', leave: 'left' }

/** `processDies`: a gateway is killed. `wayBreaks`: what the upstream sent may not have arrived. */
export interface Circumstances {
  processDies?: boolean
  wayBreaks?: boolean
}

/** Every answered call once in the books, for what it was: clients' list, upstream's list and the log agree. */
export function accountFor(
  calls: readonly MadeCall[],
  received: readonly ReceivedRequest[],
  rows: readonly LogRow[],
  { processDies = false, wayBreaks = false }: Circumstances,
): Account {
  const { short, interrupted } = reconcile(madeOf(calls, received), oneForEach(received, wayBreaks), rows, {
    mayDie: processDies,
  })
  return { sightings: countSightings(calls), interrupted, lost: short }
}

/** Without those that never were a call to anybody: nobody listened, or the connection closed before it was read. */
function madeOf(calls: readonly MadeCall[], received: readonly ReceivedRequest[]): MadeCall[] {
  const arrived = new Set(received.map((request) => markOf(request)?.index))
  return calls.filter(({ index, seen }) => seen.requestId !== undefined || arrived.has(index))
}

/**
 * The upstream may be asked again when its first answer did not get through: the fullest is the one that counts. What the
 * way there cut off looks to the upstream as if the caller had left.
 */
function oneForEach(received: readonly ReceivedRequest[], wayBreaks: boolean): ReceivedRequest[] {
  const fullest = new Map<number | undefined, ReceivedRequest>()
  for (const request of received) {
    const index = markOf(request)?.index
    const known = fullest.get(index)
    if (!known || known.sent.tokens <= request.sent.tokens) fullest.set(index, request)
  }
  const kept = [...fullest.values()]
  return wayBreaks ? kept.map((request) => ({ ...request, sent: { ...request.sent, outcome: 'cut' as const } })) : kept
}

function countSightings(calls: readonly MadeCall[]): Sightings {
  const counted: Sightings = {
    complete: 0,
    asAsked: 0,
    withoutCredit: 0,
    refused: {},
    broken: 0,
    unanswered: 0,
    unreachable: 0,
  }
  for (const { kind, seen } of calls) {
    const { outcome, code = '', status, chunks } = seen
    if (outcome === 'complete') counted.complete++
    else if (NO_CREDIT.has(code)) counted.withoutCredit++
    else if (outcome === 'left' || (outcome === ASKED[kind] && (kind !== 'error' || status === 500))) counted.asAsked++
    else if (outcome === 'refused') counted.refused[code] = (counted.refused[code] ?? 0) + 1
    else if (outcome === 'unreachable') counted.unreachable++
    else if (chunks > 0) counted.broken++
    else counted.unanswered++
  }
  return counted
}
