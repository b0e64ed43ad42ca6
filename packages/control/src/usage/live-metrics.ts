import type { api } from '@tidegate/contract'
import { nodeMetrics, type Db, type NodeMetrics } from '@tidegate/storage'

/** Nodes without a report for this long are gone. */
const NODE_TIMEOUT_MS = 15_000

export async function readLiveMetrics(db: Db, now: Date): Promise<api.LiveFigures> {
  return combineNodes(await nodeMetrics.listSince(db, new Date(now.getTime() - NODE_TIMEOUT_MS)), now)
}

/** Sums the metrics of all nodes. */
export function combineNodes(nodes: readonly NodeMetrics[], now: Date): api.LiveFigures {
  const rate = (count: (node: NodeMetrics) => number) =>
    nodes.reduce((sum, node) => sum + (node.seconds > 0 ? count(node) / node.seconds : 0), 0)
  const calls = rate((node) => node.calls)
  const firstTokens = nodeMetrics.FIRST_TOKEN_MS.map((_, index) =>
    nodes.reduce((sum, node) => sum + (node.firstTokens[index] ?? 0), 0),
  )
  firstTokens.push(nodes.reduce((sum, node) => sum + (node.firstTokens[firstTokens.length] ?? 0), 0))
  const p50 = quantile(firstTokens, 0.5)
  const p95 = quantile(firstTokens, 0.95)
  return {
    requests_per_second: round(calls),
    tokens_per_second: round(rate((node) => node.tokens)),
    error_rate: calls === 0 ? 0 : rate((node) => node.failed) / calls,
    ...(p50 !== undefined && { first_token_p50: p50 }),
    ...(p95 !== undefined && { first_token_p95: p95 }),
    open_calls: nodes.reduce((sum, node) => sum + node.openRequests, 0),
    nodes: nodes.length,
    at: Math.floor(now.getTime() / 1000),
  }
}

/** Interpolates within histogram buckets. */
function quantile(counts: readonly number[], share: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  let left = share * total
  for (const [index, count] of counts.entries()) {
    const upper = nodeMetrics.FIRST_TOKEN_MS[index] ?? nodeMetrics.FIRST_TOKEN_MS.at(-1)!
    const lower = nodeMetrics.FIRST_TOKEN_MS[index - 1] ?? 0
    if (left <= count) return Math.round(lower + ((upper - lower) * left) / count)
    left -= count
  }
  return nodeMetrics.FIRST_TOKEN_MS.at(-1)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
