import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Page, StatementLine } from '@tidegate/contract/api'

/** How to load the statement of a user. */
export interface StatementSource {
  /** Start of the keys of all its queries. */
  key: readonly unknown[]
  read(query: { kind: string; p: number; page_size: number }, signal: AbortSignal): Promise<Page<StatementLine>>
  /** All entries of a kind as CSV. */
  readFile(kind: string): Promise<string>
  /** Name of the exported file, without the date. */
  fileName: string
}

/** An entry with its position on the page, because entries have no ID. */
export type StatementEntry = StatementLine & { position: number }

export const statementQuery = (
  { key, read }: StatementSource,
  kind: string,
  { page, size }: { page: number; size: number },
) =>
  queryOptions({
    queryKey: [...key, kind, page, size],
    queryFn: async ({ signal }) => {
      const { items, total } = await read({ kind, p: page, page_size: size }, signal)
      return { rows: items.map((line, position): StatementEntry => ({ ...line, position })), total }
    },
    placeholderData: keepPreviousData,
  })
