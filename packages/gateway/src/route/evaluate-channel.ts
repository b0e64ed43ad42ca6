import { ApiError } from '@tidegate/contract'
import type { DialectId } from '@tidegate/dialects'
import { imagePriceOf, type ModelPrice, taskPriceOf, videoPriceOf } from '@tidegate/pricing'
import { chooseChatApi, type OperationId, providerOf, type TaskKind } from '@tidegate/providers'
import type { Health } from '../health/health.ts'
import type { Catalog, CatalogChannel } from '../ports/index.ts'
import { knownPrice } from './candidates.ts'
import { routeName, upstreamName } from './model-names.ts'
import { type DecisionRecord, NoRoute, type RouteOptions } from './route.ts'
import type { Target } from './virtual-models.ts'

export type ChannelEvaluation =
  | { readonly kind: 'open'; readonly model: string; readonly price: ModelPrice }
  /** `misconfigured`: it has no key, or settings that cannot be parsed. */
  | { readonly kind: 'cannot-serve'; readonly misconfigured: boolean }
  | { readonly kind: 'no-price'; readonly error: ApiError }
  | { readonly kind: 'prompt-too-long'; readonly limit: number }
  /** `ofAccount`: the provider rejected the account, so waiting may not help. */
  | { readonly kind: 'cooling-down'; readonly waitMs: number; readonly ofAccount: boolean }

export type Cooldowns = Pick<Health, 'coolingDown' | 'rejectsAccount'>
export const NO_COOLDOWNS: Cooldowns = { coolingDown: () => 0, rejectsAccount: () => false }

/** Evaluates whether channels can serve one request, and at which price. */
export interface ChannelEvaluator {
  evaluate(channel: CatalogChannel, target: Target): ChannelEvaluation
  /** An error when the model has no price. */
  price(model: string): ModelPrice | ApiError
}

/** The cooldown is checked last: a channel that cools down could serve the request otherwise. */
export function createChannelEvaluator(
  catalog: Catalog,
  routeOptions: RouteOptions,
  health: Cooldowns,
): ChannelEvaluator {
  const { model: requested, dialect, operation, task, promptTokens } = routeOptions
  const pinned = routeOptions.caller.pinnedChannelId !== undefined
  const prices = new Map<string, ModelPrice | ApiError>()

  function price(model: string): ModelPrice | ApiError {
    const known = prices.get(model)
    if (known) return known
    const found = findPrice(catalog, routeOptions, model)
    prices.set(model, found)
    return found
  }

  return {
    price,
    evaluate(channel, { routed, unmapped }) {
      const model = upstreamName(channel, routed, requested, unmapped)
      if (!canServe(channel, { dialect, operation, task, model })) {
        return { kind: 'cannot-serve', misconfigured: !isConfigured(channel) }
      }
      const found = price(model)
      if (found instanceof ApiError) return { kind: 'no-price', error: found }
      const { maxInputTokens: limit } = channel
      if (limit > 0 && promptTokens > limit) return { kind: 'prompt-too-long', limit }
      // A pinned channel is used also while it cools down.
      const waitMs = pinned ? 0 : health.coolingDown(channel, model, routeOptions.caller.userId)
      if (waitMs === 0) return { kind: 'open', model, price: found }
      return { kind: 'cooling-down', waitMs, ofAccount: health.rejectsAccount(channel) }
    },
  }
}

function findPrice(catalog: Catalog, routeOptions: RouteOptions, upstreamName: string): ModelPrice | ApiError {
  const { caller, group, model: modelName, image, task, videoSizes = [''], operation } = routeOptions
  const priceQuestion = {
    modelName,
    upstreamName,
    group,
    acceptUnset: caller.userSetting.acceptUnsetRatio,
    userGroup: caller.userGroup,
    catalogVersion: catalog.version,
  }
  try {
    if (task === 'video') return videoPriceOf(catalog.settings, priceQuestion, videoSizes)
    if (task) return taskPriceOf(catalog.settings, priceQuestion)
    if (image) return imagePriceOf(catalog.settings, priceQuestion, image)
    const price = knownPrice(catalog, priceQuestion)
    const isConversation = operation === undefined
    return isConversation && !pricesOutput(price) ? new ApiError('model_price_error', { model: modelName }) : price
  } catch (error) {
    // Clients know their own name of the model, not the provider's.
    if (error instanceof ApiError) return new ApiError(error.code, { ...error.details, model: modelName })
    throw error
  }
}

/** A model without an output rate must not be used for requests that produce output. */
function pricesOutput(price: ModelPrice): boolean {
  return price.kind === 'call' || price.cards.some(({ rates }) => rates?.output !== undefined)
}

/**
 * Collects why channels were skipped, for an error that says what helps: waiting, a shorter prompt, or another model.
 */
export class RejectionExplainer {
  #soonestMs = Infinity
  #mayRecover = false
  #largestLimit = 0
  #price: ApiError | undefined
  #unsupported = false

  add(evaluation: ChannelEvaluation): void {
    if (evaluation.kind === 'cooling-down') {
      this.#soonestMs = Math.min(this.#soonestMs, evaluation.waitMs)
      this.#mayRecover ||= !evaluation.ofAccount
    } else if (evaluation.kind === 'prompt-too-long')
      this.#largestLimit = Math.max(this.#largestLimit, evaluation.limit)
    else if (evaluation.kind === 'no-price') this.#price ??= evaluation.error
    else if (evaluation.kind === 'cannot-serve') this.#unsupported ||= !evaluation.misconfigured
  }

  /** Undefined when waiting does not help. */
  get waitMs(): number | undefined {
    return this.#soonestMs === Infinity ? undefined : this.#soonestMs
  }

  /** 503 only when a channel may recover: clients retry it for minutes. */
  toError(catalog: Catalog, routeOptions: RejectionContext, record: DecisionRecord): ApiError {
    const { code, details, retryAfterSeconds } = this.#reason(catalog, routeOptions, record)
    const options = { cause: new NoRoute(record.decision) }
    return new ApiError(code, details, retryAfterSeconds === undefined ? options : { ...options, retryAfterSeconds })
  }

  #reason(catalog: Catalog, routeOptions: RejectionContext, record: DecisionRecord): ApiError {
    const { model, promptTokens: tokens } = routeOptions
    if (this.waitMs !== undefined) {
      if (!this.#mayRecover) return new ApiError('upstream_account_error')
      const seconds = Math.ceil(this.waitMs / 1000)
      return new ApiError('channels_cooling_down', { model, seconds }, { retryAfterSeconds: seconds })
    }
    if (this.#largestLimit > 0) {
      return new ApiError('max_input_tokens_exceeded', { tokens, model, limit: this.#largestLimit })
    }
    if (this.#price) return this.#price
    if (this.#unsupported) return new ApiError('model_endpoint_unsupported', { model })
    return notServedError(catalog, routeOptions, record)
  }
}

interface RejectionContext extends Pick<RouteOptions, 'group' | 'model' | 'promptTokens'> {
  /** The names that channels were looked up by. */
  readonly targets: readonly string[]
}

/** Distinguishes an unknown model, a model of another group, and a model whose channels are all disabled. */
function notServedError(
  catalog: Catalog,
  { group, model, targets }: RejectionContext,
  record: DecisionRecord,
): ApiError {
  const { bare, prefix } = routeName(catalog, group, model)
  const serving = channelsListing(catalog, { prefix, targets })
  for (const { id, enabled } of serving) record.skip(id, enabled ? 'other-group' : 'disabled')
  const isVirtual = Object.hasOwn(catalog.settings.global_model_mapping.mapping, bare)
  if (serving.length === 0 && !isVirtual) return new ApiError('model_not_found', { model })
  const inGroup = serving.some(({ groups }) => groups.includes(group))
  const isEnabled = serving.some(({ enabled }) => enabled)
  return new ApiError(isEnabled && !inGroup ? 'model_not_in_group' : 'no_channel', { group, model })
}

/** Channels that list one of the names, in any group, enabled or not. */
export function channelsListing(
  catalog: Catalog,
  { prefix, targets }: { prefix: string; targets: readonly string[] },
): CatalogChannel[] {
  return [...catalog.channels.values()].filter(
    (channel) =>
      (prefix === '' || channel.modelPrefix === prefix) && targets.some((target) => channel.models.includes(target)),
  )
}

/** Whether a channel supports the request. One with settings that cannot be parsed does not. */
export function canServe(
  channel: CatalogChannel,
  { dialect, operation, task, model }: { dialect: DialectId; operation?: OperationId; task?: TaskKind; model: string },
): boolean {
  if (!isConfigured(channel)) return false
  const provider = providerOf(channel.type)
  if (operation !== undefined) return provider.operations?.[operation] !== undefined
  if (task !== undefined) return provider.tasks?.[task] !== undefined
  const target = { model, setting: channel.setting }
  return chooseChatApi(provider, { dialect, target }) !== undefined
}

/** A channel without a key, or with settings that cannot be parsed, serves nothing. */
function isConfigured({ keys, unreadable = [] }: Pick<CatalogChannel, 'keys' | 'unreadable'>): boolean {
  return keys.length > 0 && unreadable.length === 0
}
