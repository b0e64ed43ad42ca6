import { ApiError } from '@tidegate/contract'
import { imagePriceOf, taskPriceOf, videoPriceOf, type ModelPrice } from '@tidegate/pricing'
import type { Health } from '../health/health.ts'
import type { Catalog, CatalogChannel } from '../ports/index.ts'
import { canServe, isConfigured } from './can-serve.ts'
import { knownPrice } from './known-prices.ts'
import { upstreamName } from './model-names.ts'
import type { RouteQuestion } from './route.ts'
import type { Target } from './virtual-models.ts'

export type Judgement =
  | { readonly kind: 'open'; readonly model: string; readonly price: ModelPrice }
  /** `misconfigured`: it has no key, or settings that cannot be read. */
  | { readonly kind: 'cannot-serve'; readonly misconfigured: boolean }
  | { readonly kind: 'no-price'; readonly refusal: ApiError }
  | { readonly kind: 'prompt-too-long'; readonly limit: number }
  | { readonly kind: 'cooling-down'; readonly waitMs: number }

/** Whether channels can serve one call, and for how much. */
export interface Judge {
  judge(channel: CatalogChannel, target: Target): Judgement
  /** A refusal when the model has no price. */
  price(model: string): ModelPrice | ApiError
}

/** What waiting mends is looked at last: a channel that cools down is one that could serve the call otherwise. */
export function createJudge(catalog: Catalog, question: RouteQuestion, health: Pick<Health, 'coolingDown'>): Judge {
  const { model: requested, dialect, operation, task, promptTokens } = question
  const pinned = question.caller.pinnedChannelId !== undefined
  const prices = new Map<string, ModelPrice | ApiError>()

  function price(model: string): ModelPrice | ApiError {
    const known = prices.get(model)
    if (known) return known
    const found = findPrice(catalog, question, model)
    prices.set(model, found)
    return found
  }

  return {
    price,
    judge(channel, { routed, asked }) {
      const model = upstreamName(channel, routed, requested, asked)
      if (!canServe(channel, { dialect, operation, task, model })) {
        return { kind: 'cannot-serve', misconfigured: !isConfigured(channel) }
      }
      const found = price(model)
      if (found instanceof ApiError) return { kind: 'no-price', refusal: found }
      const { maxInputTokens: limit } = channel
      if (limit > 0 && promptTokens > limit) return { kind: 'prompt-too-long', limit }
      // An administrator who pins a channel wants to see how it does.
      const waitMs = pinned ? 0 : health.coolingDown(channel, model, question.caller.userId)
      return waitMs > 0 ? { kind: 'cooling-down', waitMs } : { kind: 'open', model, price: found }
    },
  }
}

function findPrice(catalog: Catalog, question: RouteQuestion, upstreamName: string): ModelPrice | ApiError {
  const { caller, group, model: modelName, image, task, videoSizes = [''], operation } = question
  const asked = {
    modelName,
    upstreamName,
    group,
    acceptUnset: caller.userSetting.acceptUnsetRatio,
    userGroup: caller.userGroup,
    catalogVersion: catalog.version,
  }
  try {
    if (task === 'video') return videoPriceOf(catalog.settings, asked, videoSizes)
    if (task) return taskPriceOf(catalog.settings, asked)
    if (image) return imagePriceOf(catalog.settings, asked, image)
    const price = knownPrice(catalog, asked)
    const isConversation = operation === undefined
    return isConversation && !pricesOutput(price)
      ? new ApiError('model_price_error', { model: price.priceName })
      : price
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** A model without an output rate must not be used for what produces output. */
function pricesOutput(price: ModelPrice): boolean {
  return price.kind === 'call' || price.cards.some(({ rates }) => rates?.output !== undefined)
}
