import { chatContents, type Db, type LogRow } from '@tidegate/storage'

/** Puts what was said in the calls into their rows, where it was kept. */
export async function withContent<Row extends LogRow>(db: Db, rows: readonly Row[]): Promise<Row[]> {
  const ids = rows.map(({ request_id }) => request_id).filter((id) => id !== '')
  const contents: ReadonlyMap<string, object> = await chatContents.of(db, ids)
  return rows.map((row) => ({ ...row, other: { ...row.other, ...contents.get(row.request_id) } }))
}
