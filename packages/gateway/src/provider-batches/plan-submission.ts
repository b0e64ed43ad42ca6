import { ApiError, type Settings } from '@tidegate/contract'
import { DIALECTS, type DialectId, type RequestHead } from '@tidegate/dialects'
import { cardAt, isTierPriced } from '@tidegate/pricing'
import { type BatchApi, chooseChatApi, type ChatApi, providerOf } from '@tidegate/providers'
import { checkModel, usableGroup } from '../admit/access.ts'
import { authenticate } from '../admit/authenticate.ts'
import type { GatewayContext } from '../admit/admit.ts'
import { filterContent } from '../admit/content-filter.ts'
import { costTerms } from '../admit/cost-terms.ts'
import { requiredCredit } from '../admit/reserve-credit.ts'
import { isPassThrough } from '../chat/chat-body.ts'
import { isRewritten } from '../chat/stream-writers.ts'
import { keyIdOf } from '../health/channel-keys.ts'
import { findEndpoint } from '../http/endpoints.ts'
import type {
  Batch,
  BatchError,
  BatchSubmission,
  BatchTerms,
  Caller,
  Catalog,
  CatalogChannel,
  Ports,
} from '../ports/index.ts'
import type { Route } from '../route/route.ts'
import { measurePrompt } from '../tokens/estimate-tokens.ts'

export const LINES_AT_ONCE = 200

/** The protocol of a batch, if it is one of chats. */
export function dialectOf({ endpoint, protocol }: Pick<Batch, 'endpoint' | 'protocol'>): DialectId | undefined {
  const found = findEndpoint('POST', endpoint, protocol === 'anthropic')
  return found.kind === 'chat' ? found.protocol : undefined
}

/**
 * Decides whether a provider runs a batch: the usual routing leads to a channel whose provider has batches, this channel
 * serves every request unchanged, and its models have a batch price. Returns an error where the channel rejects options
 * without a price.
 */
export async function planSubmission(
  { ports, router, health }: GatewayContext,
  batch: Batch,
  keepLease: () => Promise<void>,
): Promise<BatchSubmission | BatchError | undefined> {
  const dialect = dialectOf(batch)
  const catalog = ports.catalog()
  const audience = dialect && (await findAudience(ports, batch, catalog))
  if (!audience) return undefined
  const planner = new SubmissionPlanner({ ports, router, health }, { ...audience, batch, catalog, dialect })
  try {
    for (let after = 0; ;) {
      await keepLease()
      const lines = await ports.batches!.listPending(batch.id, { after, limit: LINES_AT_ONCE })
      if (lines.length === 0) break
      for (const { body } of lines) if (!(await planner.add(body))) return undefined
      after = lines.at(-1)!.number
    }
    return planner.submission()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // What one line must not do is decided when it runs alone, except for a price that is missing for all.
    if (error.code !== 'unpriced_option') return undefined
    return { code: error.code, message: error.message, line: null, param: null }
  }
}

interface Audience {
  readonly caller: Caller
  readonly group: string
}

async function findAudience(
  ports: Pick<Ports, 'callers' | 'now'>,
  { tokenId }: Batch,
  { settings }: Catalog,
): Promise<Audience | undefined> {
  try {
    const caller = await authenticate(ports, { key: '', tokenId })
    return { caller, group: usableGroup(caller, caller.tokenGroup, settings) }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

interface PlannedBatch extends Audience {
  readonly batch: Batch
  readonly catalog: Catalog
  readonly dialect: DialectId
}

class SubmissionPlanner {
  readonly #context: GatewayContext
  readonly #planned: PlannedBatch
  readonly #routes = new Map<string, Route>()
  #channel: CatalogChannel | undefined
  #reserve = 0

  constructor(context: GatewayContext, planned: PlannedBatch) {
    this.#context = context
    this.#planned = planned
  }

  /** False if the provider cannot run the batch because of this request. */
  async add(body: string): Promise<boolean> {
    const { batch, caller, catalog, dialect } = this.#planned
    const { settings } = catalog
    const { ports } = this.#context
    const request = DIALECTS[dialect].readRequest(body)
    if (!isPlain(request)) return false
    checkModel(caller, request.model)
    const route = this.#routes.get(request.model) ?? this.#findRoute(request)
    if (!route) return false
    const prompt = DIALECTS[dialect].promptParts(request)
    await filterContent(settings, route.group, prompt.texts, { log: ports.log, requestId: batch.id })
    const promptTokens = await measurePrompt(request.model, prompt, Infinity)
    const { maxInputTokens: limit } = route.channel
    if (limit > 0 && promptTokens > limit) return false
    const candidates = [{ model: route.model, price: route.price }]
    const terms = { at: batch.createdAt, serviceTier: 'batch' }
    this.#reserve += requiredCredit({ request, promptTokens, candidates, settings, ...terms }).amount
    return true
  }

  submission(): BatchSubmission | undefined {
    const { caller } = this.#planned
    const [route] = this.#routes.values()
    const lease = route && this.#context.health.acquireKey(route)
    if (!lease) return undefined
    lease.end()
    const models: BatchTerms['models'] = Object.fromEntries(
      Array.from(this.#routes, ([name, { model, price }]) => [name, { model, price }]),
    )
    const { username, unlimitedQuota: tokenUnlimited, userSetting } = caller
    return {
      channelId: route.channel.id,
      keyId: keyIdOf(lease.key),
      terms: { username, tokenUnlimited, showIp: userSetting.showIp, group: route.group, models },
      reserve: this.#reserve,
    }
  }

  #findRoute(request: RequestHead): Route | undefined {
    const { batch, dialect } = this.#planned
    const route = this.#channel ? this.#routeOn(request, this.#channel) : this.#firstRoute(request)
    const api = route && apiFor(route, batch, dialect)
    if (!api || (api.hasOneModel && this.#routes.size > 0) || batch.total > api.maxLines) return undefined
    if (!hasBatchPrice(route, batch.createdAt)) {
      if (route.channel.setting.unpriced_options !== 'reject') return undefined
      throw new ApiError('unpriced_option', { option: 'batch', model: request.model })
    }
    this.#channel = route.channel
    this.#routes.set(request.model, route)
    return route
  }

  /** Of the channels that the usual routing may choose first, one whose provider runs batches. */
  #firstRoute({ model }: RequestHead): Route | undefined {
    const { batch, dialect } = this.#planned
    const plan = this.#plan(model)
    const first = plan.next()
    for (let route = first; route && !route.again; route = plan.next()) {
      if (route.channel.priority !== first!.channel.priority || route.group !== first!.group) return undefined
      if (apiFor(route, batch, dialect)) return route
    }
    return undefined
  }

  #routeOn({ model }: RequestHead, channel: CatalogChannel): Route | undefined {
    const [first] = this.#routes.values()
    const route = this.#plan(model, channel.id).next()
    return route?.channel === channel && route.group === first!.group ? route : undefined
  }

  #plan(model: string, pinnedChannelId?: number) {
    const { caller, group, catalog, dialect } = this.#planned
    const of = pinnedChannelId === undefined ? caller : { ...caller, pinnedChannelId }
    return this.#context.router.plan(catalog, { caller: of, group, model, dialect, promptTokens: 0 })
  }
}

/** Whether nothing in a request needs more than one account and one call. */
function isPlain(request: RequestHead): boolean {
  const { stored, compaction } = request
  if (compaction || costTerms(request).terms) return false
  if (!stored) return true
  const continues = stored.previousResponseId ?? stored.holdingResponseId ?? stored.conversationId
  return continues === undefined && !stored.storesResponse
}

/** The batches of the channel's provider, if the channel passes requests of this kind on unchanged. */
function apiFor({ channel, model }: Route, { endpoint }: Batch, dialect: DialectId): BatchApi | undefined {
  const { batches } = providerOf(channel.type)
  if (!batches?.endpoints.includes(endpoint) || !isEnabled(channel, batches) || isRewritten(channel)) return undefined
  return chatApiFor({ channel, model }, dialect) && batches
}

/** How a channel sends requests of a batch: in the protocol of the client. */
export function chatApiFor(
  { channel, model }: Pick<Route, 'channel' | 'model'>,
  dialect: DialectId,
): ChatApi | undefined {
  const api = chooseChatApi(providerOf(channel.type), { dialect, target: { model, setting: channel.setting } })
  return api && isPassThrough({ dialect }, api) ? api : undefined
}

/** Members of a request that batches do not have. */
const NOT_IN_BATCHES = ['stream', 'stream_options', 'service_tier']

/** By default only at the address of the provider itself: others with its protocol mostly have no batches. */
function isEnabled({ setting, baseUrl, paramOverride = {} }: CatalogChannel, { home }: BatchApi): boolean {
  if (NOT_IN_BATCHES.some((name) => (paramOverride[name] ?? null) !== null)) return false
  if (setting.batch_api === 'always' || setting.batch_api === 'never') return setting.batch_api === 'always'
  return baseUrl === '' || URL.parse(baseUrl)?.origin === home
}

function hasBatchPrice({ price }: Route, at: Date): boolean {
  const card = price.kind === 'token' ? cardAt(price.cards, at) : undefined
  return card !== undefined && isTierPriced(card, 'batch')
}

/** The limit of the site for the output of one request. */
export function outputLimitOf(settings: Pick<Settings, 'billing.max_output_tokens'>): number | undefined {
  return settings['billing.max_output_tokens'] || undefined
}
