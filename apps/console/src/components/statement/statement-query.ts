import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Page, StatementLine } from '@tidegate/contract/api'

/** Whose statement it is, and how to ask for it. */
export interface StatementSource {
  /** Begins the key of every page in the query cache. */
  key: readonly unknown[]
  read(query: { kind: string; p: number; page_size: number }, signal: AbortSignal): Promise<Page<StatementLine>>
  /** All lines of a kind as a table for spreadsheets. */
  readFile(kind: string): Promise<string>
  /** What the file is called, before the day. */
  fileName: string
}

/** A line with its place on the page: lines have no number of their own. */
export type PlacedLine = StatementLine & { place: number }

export const statementQuery = ({ key, read }: StatementSource, kind: string, page: number, size: number) =>
  queryOptions({
    queryKey: [...key, kind, page, size],
    queryFn: async ({ signal }) => {
      const { items, total } = await read({ kind, p: page, page_size: size }, signal)
      return { lines: items.map((line, place): PlacedLine => ({ ...line, place })), total }
    },
    placeholderData: keepPreviousData,
  })
