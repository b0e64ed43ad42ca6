import type { Db } from '../../connection/connect.ts'

export interface ImportedRow {
  kind: string
  source_id: string
  target_id: number
}

/** PostgreSQL allows 65535 parameters in a statement. */
const BATCH_ROWS = 5_000

/** All rows imported from a source. */
export function listOf(db: Db, source: string): Promise<ImportedRow[]> {
  return db
    .selectFrom('imported_row')
    .select(['kind', 'source_id', 'target_id'])
    .where('source', '=', source)
    .orderBy('kind')
    .orderBy('source_id')
    .execute()
}

export async function insert(db: Db, source: string, rows: readonly ImportedRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH_ROWS) {
    const part = rows.slice(from, from + BATCH_ROWS)
    await db
      .insertInto('imported_row')
      .values(part.map((row) => ({ source, ...row })))
      .execute()
  }
}

/** Stores how far an import of many rows has come, in one row per kind. */
export async function saveProgress(db: Db, source: string, kind: string, reached: number): Promise<void> {
  await db
    .insertInto('imported_row')
    .values({ source, kind, source_id: '', target_id: reached })
    .onConflict((conflict) => conflict.columns(['source', 'kind', 'source_id']).doUpdateSet({ target_id: reached }))
    .execute()
}
