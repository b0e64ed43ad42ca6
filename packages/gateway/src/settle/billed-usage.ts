import { listedModel, type FeeCount, type ServiceTerms, type UsagePart } from '@tidegate/contract'
import { asText, asJsonObject, readServiceTier, type RequestHead, type JsonObject } from '@tidegate/dialects'
import { cardAt, type ModelPrice, type Usage } from '@tidegate/pricing'
import { costTerms, toolsOf } from '../admit/cost-terms.ts'
import type { BilledAttempt } from '../admit/observe-request.ts'

const USUAL_CONTEXT = 'medium'

/** Adds to the reported usage what is known from the request and the response headers. */
export function createBilledUsage(
  request: Pick<RequestHead, 'dialect' | 'body'>,
  { route, servedTier, stripped = [] }: Pick<BilledAttempt, 'route' | 'servedTier' | 'stripped'>,
  at: Date,
): (usage: Usage) => Usage {
  const { price, model } = route
  const prices = (price.kind === 'token' ? cardAt(price.cards, at)?.fees : price.fees) ?? {}
  const extraFees = requestFees(request, prices)
  const isPreview = prices.webSearchPreview !== undefined && toolsOf(request.body).some(isPreviewSearch)
  const requested = costTerms({ ...request, body: withoutOptions(request.body, stripped) }).terms
  return (usage) => {
    const { serviceTier, fees = [], parts, ...terms } = usage.terms ?? {}
    const tier = servedTier === undefined ? { serviceTier } : readServiceTier(servedTier.toLowerCase())
    const named = isPreview ? fees.map(previewFee) : fees
    const all: ServiceTerms = {
      ...terms,
      // Without a report, the provider is assumed to have served what was requested.
      ...(usage.estimated && requested),
      ...(tier.serviceTier !== undefined && tier),
      ...(named.length + extraFees.length > 0 && { fees: [...named, ...extraFees] }),
      ...(parts && { parts: parts.map((part) => (isSameModel(part.model, model) ? withoutModel(part) : part)) }),
    }
    return Object.keys(all).length === 0 ? usage : { ...usage, terms: all }
  }
}

function withoutOptions(json: JsonObject, names: readonly string[]): JsonObject {
  return names.length === 0 ? json : Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)))
}

/** Search models charge for every request, by the size of its search context. */
function requestFees({ body: json }: Pick<RequestHead, 'body'>, prices: NonNullable<PricedFees>): readonly FeeCount[] {
  if (prices.webSearchByContext === undefined) return []
  const key = asText(asJsonObject(json.web_search_options)?.search_context_size) || USUAL_CONTEXT
  return [{ fee: 'webSearchByContext', count: 1, key }]
}

type PricedFees = Extract<ModelPrice, { kind: 'call' }>['fees']

function isPreviewSearch({ type }: { readonly type?: unknown }): boolean {
  return asText(type).startsWith('web_search_preview')
}

function previewFee(count: FeeCount): FeeCount {
  return count.fee === 'webSearch' ? { ...count, fee: 'webSearchPreview' } : count
}

/** Whether the name is the model of the request, or one of its aliases. */
function isSameModel(name: string | undefined, model: string): boolean {
  return name !== undefined && (name === model || (listedModel(name) ?? name) === listedModel(model))
}

function withoutModel({ model: _model, ...part }: UsagePart): UsagePart {
  return part
}
