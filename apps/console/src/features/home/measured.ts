import * as api from '@tidegate/contract/api'
import { queryOptions, useQueries } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

/** Models that the home page shows without a search. */
export const FEATURED = 8

export const figuresQuery = (model: string) =>
  queryOptions({
    queryKey: ['model-figures', model],
    queryFn: ({ signal }) => call(api.getModelFigures, { query: { model }, signal }),
    staleTime: 300_000,
    retry: false,
    meta: { showsErrors: true },
  })

/** Availability and typical time to the first token over several models. Undefined until measured. */
export interface Measured {
  availability: number | undefined
  firstToken: number | undefined
}

/** The first line and the price table share the requests. */
export function useMeasured(models: readonly string[]): Measured {
  return useQueries({ queries: models.map(figuresQuery), combine: combineFigures })
}

function combineFigures(results: readonly { isPending: boolean; data: api.ModelFigures | undefined }[]): Measured {
  // All together, so that the numbers do not change while the models are loaded.
  if (results.some(({ isPending }) => isPending)) return { availability: undefined, firstToken: undefined }
  return summarize(results.flatMap(({ data }) => data ?? []))
}

/** Models with more requests count more. */
export function summarize(figures: readonly api.ModelFigures[]): Measured {
  const used = figures.filter(({ calls }) => calls > 0)
  const calls = used.reduce((sum, one) => sum + one.calls, 0)
  const succeeded = used.reduce((sum, { calls: count, availability = 0 }) => sum + count * availability, 0)
  const times = used
    .flatMap(({ calls: count, first_token_p50: time }) => (time === undefined ? [] : [{ time, count }]))
    .toSorted((one, other) => one.time - other.time)
  let left = times.reduce((sum, { count }) => sum + count, 0) / 2
  return {
    availability: calls === 0 ? undefined : succeeded / calls,
    firstToken: times.find(({ count }) => (left -= count) <= 0)?.time,
  }
}

/** Rounds down, so that 99.999% is not shown as 100%. */
export const formatAvailability = (share: number) =>
  share === 1 ? '100%' : `${(Math.floor(share * 10_000) / 100).toFixed(2)}%`
