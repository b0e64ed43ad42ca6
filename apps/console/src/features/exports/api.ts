import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

/** The super admin manages destinations of the site, everyone their own. */
export type Scope = 'site' | 'own'

/** Key of all queries about exports. */
export const EXPORTS = ['exports'] as const

const POLL_MS = 5_000

/** All destinations, polled while deliveries wait. */
export const exportsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...EXPORTS, scope],
    queryFn: ({ signal }) => call(scope === 'site' ? api.listExports : api.listOwnExports, { signal }),
    refetchInterval: ({ state: { data, error } }) =>
      !error && data?.items.some(({ open }) => open > 0) ? POLL_MS : false,
  })

/** The list has all fields of a destination. */
export const exportQuery = (scope: Scope, id: number) =>
  queryOptions({
    queryKey: [...EXPORTS, scope, 'one', id],
    queryFn: async ({ signal }) => {
      const { items } = await call(scope === 'site' ? api.listExports : api.listOwnExports, { signal })
      return items.find((item) => item.id === id) ?? null
    },
  })

export const deliveriesQuery = (scope: Scope, destination: number, { state, page, size }: DeliveryPage) =>
  queryOptions({
    queryKey: [...EXPORTS, scope, 'deliveries', destination, state, page, size],
    queryFn: ({ signal }) => {
      const query = { destination, ...(state !== '' && { state }), p: page, page_size: size }
      return call(scope === 'site' ? api.listExportDeliveries : api.listOwnExportDeliveries, { query, signal })
    },
    placeholderData: keepPreviousData,
    // New deliveries appear at any time. Stops after an error, which would be shown each time.
    refetchInterval: ({ state: { error } }) => (error ? false : POLL_MS),
  })

export interface DeliveryPage {
  /** Blank for all. */
  state: '' | api.ExportDelivery['state']
  page: number
  size: number
}

export const createExport = (scope: Scope, body: api.BodyInput<typeof api.createExport>) =>
  call(scope === 'site' ? api.createExport : api.createOwnExport, { body })

export const updateExport = (scope: Scope, id: number, body: api.BodyInput<typeof api.updateExport>) =>
  call(scope === 'site' ? api.updateExport : api.updateOwnExport, { params: { id }, body })

export const deleteExport = (scope: Scope, id: number) =>
  call(scope === 'site' ? api.deleteExport : api.deleteOwnExport, { params: { id } })

export const testExport = (scope: Scope, id: number) =>
  call(scope === 'site' ? api.testExport : api.testOwnExport, { params: { id } })

export const retryDelivery = (scope: Scope, id: number) =>
  call(scope === 'site' ? api.retryExportDelivery : api.retryOwnExportDelivery, { params: { id } })

export const retryAll = (scope: Scope, id: number) =>
  call(scope === 'site' ? api.retryExport : api.retryOwnExport, { params: { id } })
