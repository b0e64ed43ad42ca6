import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

/** Metrics of one gateway process in the last seconds. Counts can be added over nodes; percentiles cannot. */
export interface NodeMetrics {
  /** The length of the period. */
  seconds: number
  calls: number
  failed: number
  tokens: number
  openRequests: number
  /** The number of first tokens within each bucket of `FIRST_TOKEN_MS`; the last bucket counts all slower ones. */
  firstTokens: number[]
}

/** Upper bounds of the buckets for first-token latency. */
export const FIRST_TOKEN_MS: readonly number[] = [
  50, 75, 100, 150, 200, 300, 400, 500, 650, 800, 1000, 1300, 1600, 2000, 2500, 3000, 4000, 5000, 7000, 10_000, 15_000,
  30_000, 60_000,
]

export async function report(db: Db, holder: string, at: Date, metrics: NodeMetrics): Promise<void> {
  await sql`
    insert into node_figures (holder, at, figures) values (${holder}, ${at}, ${JSON.stringify(metrics)})
    on conflict (holder) do update set at = excluded.at, figures = excluded.figures`.execute(db)
}

/** The last report of every process that reported since a time. */
export async function listSince(db: Db, moment: Date): Promise<NodeMetrics[]> {
  const { rows } = await sql<{ figures: NodeMetrics }>`
    select figures from node_figures where at >= ${moment}`.execute(db)
  return rows.map(({ figures }) => figures)
}

export async function removeBefore(db: Db, moment: Date): Promise<void> {
  await sql`delete from node_figures where at < ${moment}`.execute(db)
}
