import { isAutoGroup, type Settings } from '@tidegate/contract'
import type { ScannedRequest } from '@tidegate/dialects'
import type { ModelPrice } from '@tidegate/pricing'
import {
  chooseChatApi,
  type ChatApi,
  type PreparedRequest,
  prepareRequest,
  providerOf,
  targetOf,
} from '@tidegate/providers'
import { checkModel } from '../admit/access.ts'
import { hidesReasoning, type PricedModel } from '../admit/reserve-credit.ts'
import type { AttemptDeadlines, Caller, Catalog, CatalogChannel, Ports, RouteDecision } from '../ports/index.ts'
import { type CandidatePool, findCandidates } from '../route/candidates.ts'
import { pickWeighted } from '../route/channel-order.ts'
import { createChannelEvaluator, NO_COOLDOWNS } from '../route/evaluate-channel.ts'
import { routeName } from '../route/model-names.ts'
import type { Route, RouteOptions } from '../route/route.ts'
import { tokenCeiling } from '../settle/plausible-usage.ts'
import { neverStreams } from './chat-body.ts'
import { deadlinesFor } from './send-chat.ts'
import { isRewritten } from './stream-writers.ts'

const DIALECT = 'openai-chat'
/** Models of one caller. Callers use few. */
const MAX_MODELS = 100
const PLAIN_BODY = { body: {} }

/**
 * What is the same for all plain chats of one caller with one model: the candidates, their prices, and for each channel
 * the URL and headers. Belongs to one catalog, and to the caller record, which a changed token replaces.
 */
export class ChatPlan {
  readonly prices: readonly PricedModel[]
  readonly decision: RouteDecision
  readonly #pool: CandidatePool
  readonly #caller: Caller
  readonly #group: string
  readonly #model: string
  readonly #plans: ChatPlans
  readonly #routes = new Map<CatalogChannel, FastRoute | undefined>()
  readonly #evaluator: ReturnType<typeof createChannelEvaluator>

  constructor(plans: ChatPlans, pool: CandidatePool, options: RouteOptions & { readonly caller: Caller }) {
    this.#plans = plans
    this.#pool = pool
    this.#caller = options.caller
    this.#group = options.group
    this.#model = options.model
    // Whether a channel cools down is checked for every request.
    this.#evaluator = createChannelEvaluator(plans.catalog, options, NO_COOLDOWNS)
    this.prices = pool.upstreamNames(options.model, options.model).flatMap((model) => {
      const price = this.#evaluator.price(model)
      return price instanceof Error ? [] : [{ model, price }]
    })
    this.decision = { candidates: pool.size, passedOver: [], passedOverCount: 0 }
  }

  /** Picks a channel as the general path would. Undefined where the general path must choose. */
  pick(random: () => number): FastRoute | undefined {
    return pickWeighted(this.#pool.tiers[0]!, random, (channel) => this.#routeOf(channel) ?? null) ?? undefined
  }

  #routeOf(channel: CatalogChannel): FastRoute | undefined {
    let route = this.#routes.get(channel)
    if (route !== undefined || this.#routes.has(channel)) return route
    try {
      route = this.#createRoute(channel)
    } catch {
      route = undefined // an error is a failed attempt of the channel, on the general path
    }
    this.#routes.set(channel, route)
    return route
  }

  #createRoute(channel: CatalogChannel): FastRoute | undefined {
    const evaluation = this.#evaluator.evaluate(channel, { routed: this.#model, unmapped: this.#model })
    if (evaluation.kind !== 'open' || hasRequestFee(evaluation.price)) return undefined
    const { model, price } = evaluation
    const sender = this.#plans.senderFor(channel, model)
    if (!sender) return undefined
    const route = {
      channel,
      group: this.#group,
      model,
      mapped: model !== this.#model,
      price,
      routed: this.#model,
      again: false,
      pinned: false,
      callerId: this.#caller.userId,
    }
    return { route, sender, name: route.mapped ? Buffer.from(JSON.stringify(model)) : undefined }
  }
}

/** A channel that a plain chat can be sent to. */
export interface FastRoute {
  readonly route: Route
  readonly sender: ChannelSender
  /** Replaces the model name in the body. */
  readonly name: Buffer | undefined
}

/** The plans of the current catalog. */
export class ChatPlans {
  readonly catalog: Catalog
  readonly #deadlines: Ports['deadlines']
  readonly #byCaller = new WeakMap<Caller, Map<string, ChatPlan | undefined>>()
  readonly #senders = new Map<CatalogChannel, Map<string, ChannelSender | undefined>>()

  constructor(catalog: Catalog, { deadlines }: Pick<Ports, 'deadlines'>) {
    this.catalog = catalog
    this.#deadlines = deadlines
  }

  /** Undefined for a request that needs the general path. */
  find(caller: Caller, group: string, model: string): ChatPlan | undefined {
    let plans = this.#byCaller.get(caller)
    if (!plans) this.#byCaller.set(caller, (plans = new Map()))
    const known = plans.get(model)
    if (known !== undefined || plans.has(model)) return known
    const plan = this.#create(caller, group, model)
    if (plans.size < MAX_MODELS) plans.set(model, plan)
    return plan
  }

  /** The sender of a channel does not depend on the caller. */
  senderFor(channel: CatalogChannel, model: string): ChannelSender | undefined {
    let senders = this.#senders.get(channel)
    if (!senders) this.#senders.set(channel, (senders = new Map()))
    if (senders.has(model)) return senders.get(model)
    const sender = createSender(this.catalog.settings, channel, model, this.#deadlines)
    senders.set(model, sender)
    return sender
  }

  #create(caller: Caller, group: string, model: string): ChatPlan | undefined {
    const { settings } = this.catalog
    if (caller.pinnedChannelId !== undefined || !allowsPlans(settings, group)) return undefined
    try {
      checkModel(caller, model)
    } catch {
      return undefined // the general path rejects it
    }
    const { routed, prefix } = routeName(this.catalog, group, model)
    const isVirtual = Object.hasOwn(settings.global_model_mapping.mapping, model)
    if (routed !== model || prefix !== '' || isVirtual) return undefined
    const options = { caller, group, model, dialect: DIALECT, promptTokens: 0 } as const
    const target = { routed: model, unmapped: model }
    const [found] = findCandidates(this.catalog, options, { targets: [target], prefix })
    // Prompts near the limit of a channel are counted.
    return found && found.pool.smallestInputLimit === Infinity ? new ChatPlan(this, found.pool, options) : undefined
  }
}

/** Settings that make the gateway read or change every request. */
function allowsPlans(settings: Settings, group: string): boolean {
  return (
    !isAutoGroup(settings, group) &&
    !settings.LogChatContentEnabled &&
    !settings['global.pass_through_request_enabled'] &&
    settings['billing.max_output_tokens'] === 0
  )
}

/** Fees for what the body asks for, or does not ask for. */
function hasRequestFee(price: ModelPrice): boolean {
  if (price.kind === 'call') return price.fees?.webSearchByContext !== undefined
  return price.cards.some(({ fees }) => fees?.webSearchByContext !== undefined)
}

/** How plain chats are sent to a channel. */
export interface ChannelSender {
  readonly chatApi: ChatApi
  readonly deadlines: AttemptDeadlines
  readonly hidesReasoning: boolean
  /** The most tokens that a response can report. */
  readonly tokenCeiling: number
  /** Whether the body is forwarded as it is, except for the model name and a request for usage. */
  accepts(request: ScannedRequest): boolean
  /** Whether usage is requested in place of the client. */
  addsUsage(request: ScannedRequest): boolean
  /** Undefined where the headers depend on the request. */
  requestFor(key: string, stream: boolean): PreparedRequest | undefined
}

function createSender(
  settings: Settings,
  channel: CatalogChannel,
  model: string,
  deadlines: Ports['deadlines'],
): ChannelSender | undefined {
  const chatApi = chooseChatApi(providerOf(channel.type), {
    dialect: DIALECT,
    target: { model, setting: channel.setting },
  })
  if (!chatApi || chatApi.dialect !== DIALECT || !isDirect(chatApi) || changesBody(channel)) return undefined
  const prepared = new Map<string, PreparedRequest | undefined>()
  const keepsPlain = (hasMaxTokens: boolean) => chatApi.keepsPlain?.(model, { hasMaxTokens }) ?? !chatApi.adapt
  const [keepsLimited, keepsUnlimited] = [keepsPlain(true), keepsPlain(false)]
  const isNeverStreamed = neverStreams({ channel }, chatApi)
  const addsUsage = ({ stream, includeUsage }: ScannedRequest) =>
    stream && chatApi.streamUsage === 'ask' && !includeUsage
  return {
    chatApi,
    deadlines: deadlinesFor({ model }, deadlines),
    hidesReasoning: hidesReasoning(model, { text: '' }),
    tokenCeiling: tokenCeiling(model, PLAIN_BODY),
    addsUsage,
    accepts(request) {
      const { stream, hasStreamOptions, hasMaxTokens } = request
      if (hasStreamOptions && (chatApi.streamUsage === 'omit' || addsUsage(request))) return false
      return !(stream && isNeverStreamed) && (hasMaxTokens ? keepsLimited : keepsUnlimited)
    },
    requestFor(key, stream) {
      const name = `${stream ? 's' : 'w'}${key}`
      if (prepared.has(name)) return prepared.get(name)
      const request = prepare(settings, channel, chatApi, { key, model, stream })
      prepared.set(name, request)
      return request
    },
  }
}

function prepare(
  settings: Settings,
  channel: CatalogChannel,
  chatApi: ChatApi,
  { key, model, stream }: { key: string; model: string; stream: boolean },
): PreparedRequest | undefined {
  const target = targetOf(channel, { key, model })
  const accept = stream ? 'text/event-stream' : 'application/json'
  try {
    return prepareRequest(channel, {
      target,
      url: chatApi.url(target, { stream, settings }),
      headers: { 'content-type': 'application/json', accept, ...chatApi.headers?.(settings) },
    })
  } catch {
    return undefined // such as an invalid URL: a failed attempt of the channel, on the general path
  }
}

/** One HTTP request and its response, without a format of the provider's own. */
function isDirect({ encode, send, unpack, passesHeaders }: ChatApi): boolean {
  return !encode && !send && !unpack && !passesHeaders
}

function changesBody(channel: CatalogChannel): boolean {
  const { systemPrompt, paramOverride = {} } = channel
  return Boolean(systemPrompt) || Object.keys(paramOverride).length > 0 || isRewritten(channel)
}
