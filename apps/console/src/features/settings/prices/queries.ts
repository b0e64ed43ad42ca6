import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { optionsQuery } from '../queries.ts'

export const enabledModelsQuery = queryOptions({
  queryKey: ['enabled-models'],
  queryFn: () => call(api.listEnabledModels),
  staleTime: 60_000,
})

/** What output of the models on offer is really billed at, next to input: rules of the product may win over what is set. */
export const billedCompletionsQuery = queryOptions({
  queryKey: ['billed-completions'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, number>> => {
    const { data } = await call(api.getPricing, { signal })
    return new Map(data.map(({ model_name, completion_ratio }) => [model_name, completion_ratio]))
  },
  staleTime: 60_000,
})

export const pricePresetQuery = (source: api.PriceSource) =>
  queryOptions({
    queryKey: ['price-preset', source],
    queryFn: ({ signal }) => call(api.getPricePreset, { query: { source }, signal }),
    staleTime: Infinity,
  })

/** The price list's card of a model, and what it costs now. */
export const listPriceQuery = (model: string) =>
  queryOptions({
    queryKey: ['list-price', model],
    queryFn: ({ signal }) => call(api.getListPrice, { query: { model }, signal }),
    staleTime: 60_000,
  })

export function useResetModelRatio() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(api.resetModelRatio),
    onSuccess: () =>
      Promise.all([client.invalidateQueries(optionsQuery), client.invalidateQueries(billedCompletionsQuery)]),
    meta: { showsErrors: true },
  })
}

export type SimulatedChange = api.BodyInput<typeof api.simulatePrices>['changes'][number]

export const simulationQuery = (changes: readonly SimulatedChange[]) =>
  queryOptions({
    queryKey: ['price-simulation', changes],
    queryFn: ({ signal }) => call(api.simulatePrices, { body: { changes: [...changes] }, signal }),
    staleTime: 0,
    gcTime: 0,
  })
