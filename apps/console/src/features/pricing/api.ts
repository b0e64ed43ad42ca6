import * as api from '@tidegate/contract/api'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'

/** The response depends on the user: it has the models of the groups that they may use. */
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

/** Anonymous users see the prices of new users. */
const ANONYMOUS_GROUP = 'default'

export function usePriceReader(): { userId: number | null; ownGroup: string } {
  const user = useSession((session) => session.user)
  return { userId: user?.id ?? null, ownGroup: user?.group || ANONYMOUS_GROUP }
}
