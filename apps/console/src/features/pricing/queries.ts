import * as api from '@tidegate/contract/api'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** Who asks matters: everybody sees the models of the groups they may use. */
export const pricingQuery = (userId: number | null) =>
  queryOptions({
    queryKey: ['pricing', userId],
    queryFn: ({ signal }) => call(api.getPricing, { signal }),
    staleTime: 60_000,
  })

export const figuresQuery = (model: string) =>
  queryOptions({
    queryKey: ['model-figures', model],
    queryFn: ({ signal }) => call(api.getModelFigures, { query: { model }, signal }),
    staleTime: 60_000,
  })
