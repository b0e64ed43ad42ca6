import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, callForStream } from '../../api/client.ts'
import { isUnreachable } from '../../api/errors.ts'
import { saveText } from '../../lib/save-file.ts'
import type { FilterValues } from '../../ui/filters/define-filters.ts'
import { batchFilters } from './filters.ts'

/** Administrators list the batches of all users, other users their own. */
export type Scope = 'all' | 'own'

/** Key of all queries that list batches. */
export const BATCHES = ['batches'] as const

const POLL_MS = 3000

/** One page of batches, polled while one of them is open. */
export const batchesQuery = (
  scope: Scope,
  { status }: FilterValues<typeof batchFilters>,
  { page, size }: { page: number; size: number },
) =>
  queryOptions({
    queryKey: [...BATCHES, scope, status, page, size],
    queryFn: async ({ signal }) => {
      const query = { ...(status && { status }), p: page, page_size: size }
      const endpoint = scope === 'all' ? api.listBatches : api.listOwnBatches
      const { items: rows, total } = await call(endpoint, { query, signal })
      return { rows, total, isCapped: total >= api.COUNTED_LOGS }
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    // Stops after an error, which would be shown each time.
    refetchInterval: ({ state: { data, error } }) =>
      (!error || isUnreachable(error)) && data?.rows.some(isOpen) ? POLL_MS : false,
  })

export const isOpen = ({ ended_at: endedAt }: Pick<api.Batch, 'ended_at'>): boolean => endedAt === 0

export const cancelBatch = ({ scope, id }: { scope: Scope; id: string }) =>
  call(scope === 'all' ? api.cancelBatch : api.cancelOwnBatch, { body: { id } })

export type ResultKind = 'output' | 'errors'

/** Saves the results or the errors of an own batch. */
export async function downloadBatch(id: string, kind: ResultKind): Promise<void> {
  const stream = await callForStream(api.downloadOwnBatch, { query: { id, kind } })
  saveText(`${id}_${kind}.jsonl`, await new Response(stream).blob())
}
