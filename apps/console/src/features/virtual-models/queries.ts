import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { Mapping } from './mapping-rules.ts'

export const modelMappingQuery = queryOptions({
  queryKey: ['model-mapping'],
  queryFn: async ({ signal }) => (await call(api.getModelMapping, { signal })).mapping,
})

export const enabledModelsQuery = queryOptions({
  queryKey: ['enabled-models'],
  queryFn: () => call(api.listEnabledModels),
  staleTime: 60_000,
})

/** The API replaces the whole mapping, so a change is applied to the mapping that is stored now. */
export function useChangeMapping() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (change: (mapping: Mapping) => Mapping) => {
      const { mapping } = await call(api.getModelMapping)
      await call(api.updateModelMapping, { body: { mapping: change(mapping) } })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['model-mapping'] }),
  })
}

export function useReloadMapping() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(api.reloadModelMapping),
    onSuccess: () => client.invalidateQueries({ queryKey: ['model-mapping'] }),
  })
}
