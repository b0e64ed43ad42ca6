import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Page, StatementLine } from '@tidegate/contract/api'
import { formatExactTime } from '../../lib/format.ts'

interface StatementQuery {
  kind: string
  usage_by: 'day'
  timezone: string
  p: number
  page_size: number
}

/** How to load the statement of a user. */
export interface StatementSource {
  /** Start of the keys of all its queries. */
  key: readonly unknown[]
  read(query: StatementQuery, signal: AbortSignal): Promise<Page<StatementLine>>
  /** All entries of a kind as CSV. */
  readFile(kind: string): Promise<string>
  /** Name of the exported file, without the date. */
  fileName: string
}

export type StatementEntry = StatementLine & {
  /** On the page, because entries have no ID. */
  position: number
  /** The first entry of its day on the page. */
  startsDay: boolean
}

export const statementQuery = (
  { key, read }: StatementSource,
  kind: string,
  { page, size }: { page: number; size: number },
) =>
  queryOptions({
    queryKey: [...key, kind, page, size],
    queryFn: async ({ signal }) => {
      const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
      const { items, total } = await read({ kind, usage_by: 'day', timezone, p: page, page_size: size }, signal)
      const days = items.map((line) => dayOf(line.created_at))
      const rows = items.map((line, position): StatementEntry => ({
        ...line,
        position,
        startsDay: days[position] !== days[position - 1],
      }))
      return { rows, total }
    },
    placeholderData: keepPreviousData,
  })

/** `2026-11-15`. */
export const dayOf = (unixSeconds: number) => formatExactTime(unixSeconds).slice(0, 'yyyy-mm-dd'.length)
