import type { Time } from './column-types.ts'

/** What a row of another product became here. */
export interface ImportedRowTable {
  /** The database or file it stood in, by a name without secrets. */
  source: string
  kind: string
  source_id: string
  target_id: number
  imported_at: Time
}
