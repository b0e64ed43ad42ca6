import type { ReceivedRequest } from '@tidegate/testing'
import type { LogRow } from './books.ts'
import { markOf, type SentRequest } from './load.ts'

export interface Reconciliation {
  complete: number
  broken: number
  left: number
  rejected: number
  /** Rows of requests that a kill interrupted. */
  interrupted: number
  /** Settled, although the kill cut off the response: billed for what was generated. */
  unseen: number
  failures: string[]
}

/** Compares three lists by request: what clients saw, what the upstream sent, and what was billed. */
export function reconcile(
  made: readonly SentRequest[],
  received: readonly ReceivedRequest[],
  rows: readonly LogRow[],
  { mayDie }: { mayDie: boolean },
): Reconciliation {
  const failures: string[] = []
  const rowsOf = groupBy(rows, ({ request_id }) => request_id)
  const sentOf = new Map(received.map((request) => [markOf(request)?.index, request.sent]))

  for (const [requestId, twice] of rowsOf) {
    if (twice.length > 1) failures.push(`${requestId} was settled ${twice.length} times`)
  }
  for (const { index, kind, stream, result } of made) {
    const [row] = rowsOf.get(result.requestId ?? '') ?? []
    const sent = sentOf.get(index)
    const name = `${kind} call ${index} (${result.requestId}, ${result.outcome} ${result.code ?? ''})`
    if (result.outcome === 'complete') {
      if (!row) failures.push(`${name} was seen complete and has no row`)
      else if (row.other.interrupted) failures.push(`${name} was seen complete and is marked interrupted`)
      else if (row.completion_tokens !== sent?.tokens)
        failures.push(`${name} is billed for ${row.completion_tokens} tokens, the upstream sent ${sent?.tokens}`)
      else if (row.quota !== row.prompt_tokens + row.completion_tokens) failures.push(`${name} costs ${row.quota}`)
    } else if (result.outcome === 'rejected' && row) failures.push(`${name} was rejected and has a row`)
    else if (row && row.completion_tokens > (sent?.tokens ?? 0))
      failures.push(`${name} is billed for ${row.completion_tokens} tokens, the upstream sent ${sent?.tokens ?? 0}`)
    // A request that the upstream or the client cut off is billed for what was received.
    else if (!mayDie && result.outcome !== 'rejected' && (!row || row.quota === 0))
      failures.push(`${name} was not billed`)
    // If the client got the timeout error, the process was alive.
    else if (row && !row.other.interrupted && sent?.outcome === 'aborted' && kind !== 'leave' && !hasGivenUp(result))
      failures.push(`${name} was cut off and is not marked interrupted`)
    if (row && row.is_stream !== stream) failures.push(`${name} is logged as the wrong kind`)
  }

  const known = new Set(made.map(({ result }) => result.requestId))
  const unseen = rows.filter(({ request_id }) => !known.has(request_id))
  const withoutId = made.filter(({ result }) => result.requestId === undefined).length
  if (unseen.length > withoutId)
    failures.push(`${unseen.length} rows belong to ${withoutId} requests without a response`)

  const count = (outcome: SentRequest['result']['outcome']) =>
    made.filter(({ result }) => result.outcome === outcome).length
  return {
    complete: count('complete'),
    broken: count('broken') + count('unreachable'),
    left: count('left'),
    rejected: count('rejected'),
    interrupted: rows.filter(({ other }) => other.interrupted).length,
    unseen: unseen.length,
    failures,
  }
}

/** The gateway timed out waiting for the upstream. */
function hasGivenUp({ outcome, code }: SentRequest['result']): boolean {
  return outcome === 'broken' && code === 'upstream_timeout'
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
