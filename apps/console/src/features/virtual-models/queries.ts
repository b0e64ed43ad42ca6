import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, callCounted } from '../../api/client.ts'
import type { Mapping } from './mapping-rules.ts'

/** All virtual models and their version. */
export const modelMappingQuery = queryOptions({
  queryKey: ['model-mapping'],
  queryFn: async ({ signal }) => {
    const { data, etag } = await callCounted(api.getModelMapping, { signal })
    return { mapping: data.mapping, etag }
  },
})

export const enabledModelsQuery = queryOptions({
  queryKey: ['enabled-models'],
  queryFn: () => call(api.listEnabledModels),
  staleTime: 60_000,
})

interface MappingChange {
  apply(mapping: Mapping): Mapping
  /** The version that the administrator saw. The server rejects a change of an older one. */
  etag: string | undefined
}

/** The API replaces the whole mapping, so a change is applied to the mapping that is stored now. */
export function useChangeMapping() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ apply, etag: ifMatch }: MappingChange) => {
      const { mapping } = await call(api.getModelMapping)
      await call(api.updateModelMapping, { body: { mapping: apply(mapping) }, ifMatch })
    },
    // After a conflict, too: the list shows the current state.
    onSettled: () => client.invalidateQueries({ queryKey: ['model-mapping'] }),
  })
}

export function useReloadMapping() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(api.reloadModelMapping),
    onSuccess: () => client.invalidateQueries({ queryKey: ['model-mapping'] }),
  })
}
