import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { optionsQuery } from '../../api/options.ts'

export const enabledModelsQuery = queryOptions({
  queryKey: ['enabled-models'],
  queryFn: () => call(api.listEnabledModels),
  staleTime: 60_000,
})

/** Users, enabled channels and models of each group. */
export const groupCountsQuery = queryOptions({
  queryKey: ['group-counts'],
  queryFn: ({ signal }) => call(api.countGroups, { signal }),
  staleTime: 60_000,
  meta: { showsErrors: true },
})

/** Prices as users see them, with built-in ratios and the groups of each model. */
export const publicPricesQuery = queryOptions({
  queryKey: ['pricing', 'prices-page'],
  queryFn: ({ signal }) => call(api.getPricing, { signal }),
  staleTime: 60_000,
})

export const pricePresetQuery = (source: api.PriceSource) =>
  queryOptions({
    queryKey: ['price-preset', source],
    queryFn: ({ signal }) => call(api.getPricePreset, { query: { source }, signal }),
    staleTime: Infinity,
  })

/** The rate card of a model: in the price list, and as billed now. */
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
      Promise.all([client.invalidateQueries(optionsQuery), client.invalidateQueries({ queryKey: ['pricing'] })]),
    meta: { showsErrors: true },
  })
}
