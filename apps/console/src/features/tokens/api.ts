import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, callCounted } from '../../api/client.ts'
import type { FilterValues } from '../../ui/filters/define-filters.ts'
import type { tokenFilters } from './filters.ts'

/** Key of all queries that list tokens. */
export const TOKENS = ['tokens'] as const

type TokenFilters = FilterValues<typeof tokenFilters>

/** `page` is 1-based here and 0-based in the API. */
export const tokensQuery = ({ keyword, key }: TokenFilters, { page, size }: { page: number; size: number }) =>
  queryOptions({
    queryKey: [...TOKENS, keyword, key, page, size],
    queryFn: async ({ signal }) => {
      const paging = { p: page - 1, size }
      const { data: rows, total } =
        keyword === '' && key === ''
          ? await callCounted(api.listTokens, { query: paging, signal })
          : await callCounted(api.searchTokens, { query: { keyword, token: key, ...paging }, signal })
      return { rows, total }
    },
    placeholderData: keepPreviousData,
  })

export const tokenQuery = (id: number) =>
  queryOptions({
    queryKey: ['token', id],
    queryFn: ({ signal }) => call(api.getToken, { params: { id }, signal }),
  })

export const ownGroupsQuery = queryOptions({
  queryKey: ['own-groups'],
  queryFn: () => call(api.listOwnGroups),
  staleTime: 60_000,
})

export const ownModelsQuery = queryOptions({
  queryKey: ['own-models'],
  queryFn: () => call(api.listOwnModels),
  staleTime: 60_000,
})

/** Limits and abilities of models by name, from the price list. */
export const modelFactsQuery = queryOptions({
  queryKey: ['model-facts'],
  queryFn: async ({ signal }) => {
    const { data } = await call(api.getPricing, { signal })
    return new Map(
      data.map(({ model_name: name, context, max_output: maxOutput, abilities }) => [
        name,
        { name, context, maxOutput, abilities },
      ]),
    )
  },
  staleTime: 60_000,
})

export const createToken = (body: api.BodyInput<typeof api.createToken>) => call(api.createToken, { body })

export const updateToken = (body: api.BodyInput<typeof api.updateToken>) => call(api.updateToken, { body })

export const setTokenStatus = (body: { id: number; status: number }) =>
  call(api.updateToken, { query: { status_only: 'true' }, body })

export const deleteToken = (id: number) => call(api.deleteToken, { params: { id } })
