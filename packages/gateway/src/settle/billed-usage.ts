import type { FeeCount } from '@tidegate/contract'
import { asText, asTree, type RequestHead } from '@tidegate/dialects'
import { cardAt, type ModelPrice, type Usage } from '@tidegate/pricing'
import type { Attempt } from '../dispatch/dispatch.ts'

const USUAL_CONTEXT = 'medium'
const USUAL_TIER = 'standard'

/** Adds to the usage that a response reports what is known from its request and its headers. */
export function createBilledUsage(
  request: Pick<RequestHead, 'tree'>,
  { route, servedTier }: Pick<Attempt, 'route' | 'servedTier'>,
  at: Date,
): (usage: Usage) => Usage {
  const owed = requestFees(request, route.price, at)
  if (owed.length === 0 && servedTier === undefined) return (usage) => usage
  return (usage) => {
    const { serviceTier: reported, fees = [], ...terms } = usage.terms ?? {}
    const tier = servedTier === USUAL_TIER ? undefined : (servedTier ?? reported)
    return {
      ...usage,
      terms: { ...terms, ...(tier !== undefined && { serviceTier: tier }), fees: [...fees, ...owed] },
    }
  }
}

/** Search models charge for every request, by the size of its search context. */
function requestFees({ tree }: Pick<RequestHead, 'tree'>, price: ModelPrice, at: Date): readonly FeeCount[] {
  const fees = price.kind === 'token' ? cardAt(price.cards, at)?.fees : price.fees
  if (fees?.webSearchByContext === undefined) return []
  const key = asText(asTree(tree.web_search_options)?.search_context_size) || USUAL_CONTEXT
  return [{ fee: 'webSearchByContext', count: 1, key }]
}
