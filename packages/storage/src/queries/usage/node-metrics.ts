import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

/** What one gateway process counted in the last seconds. Counts can be added up over nodes; percentiles cannot. */
export interface NodeFigures {
  /** Length of the span the counts are of. */
  seconds: number
  calls: number
  failed: number
  tokens: number
  openCalls: number
  /** How many first tokens came within each of `FIRST_TOKEN_MS`, the last for those beyond. */
  firstTokens: number[]
}

/** Upper ends of the classes first-token times are counted in. */
export const FIRST_TOKEN_MS: readonly number[] = [
  50, 75, 100, 150, 200, 300, 400, 500, 650, 800, 1000, 1300, 1600, 2000, 2500, 3000, 4000, 5000, 7000, 10_000, 15_000,
  30_000, 60_000,
]

export async function report(db: Db, holder: string, at: Date, figures: NodeFigures): Promise<void> {
  await sql`
    insert into node_figures (holder, at, figures) values (${holder}, ${at}, ${JSON.stringify(figures)})
    on conflict (holder) do update set at = excluded.at, figures = excluded.figures`.execute(db)
}

/** What every process that spoke since a moment said last. */
export async function since(db: Db, moment: Date): Promise<NodeFigures[]> {
  const { rows } = await sql<{ figures: NodeFigures }>`
    select figures from node_figures where at >= ${moment}`.execute(db)
  return rows.map(({ figures }) => figures)
}

export async function removeBefore(db: Db, moment: Date): Promise<void> {
  await sql`delete from node_figures where at < ${moment}`.execute(db)
}
