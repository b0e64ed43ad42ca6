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

/** The server takes the mapping as a whole: a change starts from what it holds now, not from what was read before. */
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
