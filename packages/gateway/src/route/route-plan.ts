import { ApiError, type ErrorCode, candidateGroups, isAutoGroup } from '@tidegate/contract'
import type { Health } from '../health/health.ts'
import { keyIdsOf } from '../health/channel-keys.ts'
import { affinityKey, type AffinityEntry } from '../health/session-affinity.ts'
import type { Catalog, CatalogChannel } from '../ports/index.ts'
import { type Candidates, findCandidates } from './candidates.ts'
import { createChannelOrder, firstOfTier, type ChannelOrder } from './channel-order.ts'
import {
  createChannelEvaluator,
  type ChannelEvaluator,
  type Cooldowns,
  RejectionExplainer,
} from './evaluate-channel.ts'
import { routeName } from './model-names.ts'
import { createRendezvous, type Rendezvous } from './rendezvous.ts'
import { DecisionRecord, type Route, type RouteOptions, type RoutePlan } from './route.ts'
import { findStored, onlyWhereStored } from './stored-state.ts'
import { createVirtualModels, type Target } from './virtual-models.ts'

export interface Router {
  /** The smallest input limit of the candidates; Infinity when there is none. */
  smallestInputLimit(catalog: Catalog, routeOptions: Pick<RouteOptions, 'caller' | 'group' | 'model'>): number
  /** Throws with the reason when no channel can serve the request. `begun` is the first route, where it is tried already. */
  plan(catalog: Catalog, routeOptions: RouteOptions, begun?: Route): RoutePlan
}

interface RouterDeps {
  readonly health: Pick<Health, 'affinity'> & Cooldowns
  random(): number
}

/** Creates route plans. Holds the rotation among the targets of virtual models. */
export function createRouter({ health, random }: RouterDeps): Router {
  const virtual = createVirtualModels()
  return {
    smallestInputLimit(catalog, routeOptions) {
      if (!limitsInput(catalog)) return Infinity
      const limits = groupsOf(catalog, routeOptions).flatMap((group) => {
        const { bare, prefix } = routeName(catalog, group, routeOptions.model)
        const targets = virtual.targetsOf(catalog.settings, bare, { peek: true })
        const candidates = findCandidates(catalog, { ...routeOptions, group }, { targets, prefix })
        return candidates.map(({ pool }) => pool.smallestInputLimit)
      })
      return Math.min(Infinity, ...limits)
    },

    plan(catalog, routeOptions, begun) {
      if (!isAutoGroup(catalog.settings, routeOptions.group)) return routeIn(catalog, routeOptions, new Map(), begun)
      const turns: Turns = new Map()
      const found: RoutePlan[] = []
      const errors: ApiError[] = []
      for (const group of groupsOf(catalog, routeOptions)) {
        try {
          found.push(routeIn(catalog, { ...routeOptions, group }, turns))
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          errors.push(error)
        }
      }
      const [first, ...others] = found
      if (!first) throw noRouteError(routeOptions, errors)
      return joinPlans([first, ...others])
    },
  }

  /**
   * Routes within one group. `turns` makes a request that searches several groups advance a virtual model's rotation
   * once.
   */
  function routeIn(catalog: Catalog, routeOptions: RouteOptions, turns: Turns, begun?: Route): RoutePlan {
    const { bare, prefix } = routeName(catalog, routeOptions.group, routeOptions.model)
    const conversation = idOf(routeOptions)
    const stored = findStored(health.affinity, routeOptions)
    const entry = stored || conversation === undefined ? undefined : health.affinity.recall(conversation)
    const preferred = (stored?.entry ?? entry)?.routed
    const rendezvous = stored || conversation === undefined ? undefined : createRendezvous(conversation)
    const targets = turns.get(bare) ?? virtual.targetsOf(catalog.settings, bare, { preferred, rendezvous })
    turns.set(bare, targets)
    const found = findCandidates(catalog, routeOptions, { targets, prefix })
    const candidates = stored ? onlyWhereStored(found, catalog, stored) : found
    const evaluator = createChannelEvaluator(catalog, routeOptions, health)
    return createPlan({
      catalog,
      routeOptions,
      bare,
      targets: targets.map(({ routed }) => routed),
      candidates,
      evaluator,
      conversation,
      entry,
      begun,
      rendezvous,
      random,
    })
  }
}

type Turns = Map<string, readonly Target[]>

/** The groups in which a request may be served. A pinned channel is billed in a group that has it. */
function groupsOf(
  { settings, channels }: Catalog,
  { caller, group }: Pick<RouteOptions, 'caller' | 'group'>,
): readonly string[] {
  const groups = candidateGroups(settings, caller.userGroup, group)
  const pinned = caller.pinnedChannelId === undefined ? undefined : channels.get(caller.pinnedChannelId)
  const serving = groups.filter((name) => pinned?.groups.includes(name))
  return serving.length > 0 ? serving : groups
}

/** Errors that say only that a group does not have the model, the most helpful first. */
const NOT_SERVED: readonly ErrorCode[] = ['no_channel', 'model_not_in_group', 'model_not_found']

/**
 * The most helpful error: when to retry, else why a channel of the model cannot serve, else that no group has the
 * model.
 */
function noRouteError({ group, model }: RouteOptions, errors: readonly ApiError[]): ApiError {
  const [soonest] = errors
    .filter(({ retryAfterSeconds }) => retryAfterSeconds !== undefined)
    .toSorted((one, other) => one.retryAfterSeconds! - other.retryAfterSeconds!)
  if (soonest) return soonest
  const rank = ({ code }: ApiError) => NOT_SERVED.indexOf(code)
  const [best] = errors.toSorted((one, other) => rank(one) - rank(other))
  if (best && rank(best) === -1) return best
  return new ApiError(best?.code ?? 'no_channel', { group, model }, { cause: best?.cause })
}

const limited = new WeakMap<Catalog, boolean>()

/** Whether any channel limits its input. On most sites none does, and prompts need not be counted. */
function limitsInput(catalog: Catalog): boolean {
  let known = limited.get(catalog)
  if (known === undefined) {
    known = [...catalog.channels.values()].some(({ maxInputTokens }) => maxInputTokens > 0)
    limited.set(catalog, known)
  }
  return known
}

/** Requests with a pinned channel have no session affinity. */
function idOf({ caller, group, model, conversation }: RouteOptions): string | undefined {
  if (conversation === undefined || conversation === '' || caller.pinnedChannelId !== undefined) return undefined
  return affinityKey(conversation, { userId: caller.userId, group, model })
}

interface RouteSearch {
  readonly catalog: Catalog
  readonly routeOptions: RouteOptions
  /** The requested name without its prefix. */
  readonly bare: string
  /** The names that channels were looked up by. */
  readonly targets: readonly string[]
  readonly candidates: readonly Candidates[]
  readonly evaluator: ChannelEvaluator
  /** The id of the conversation, and where its last turn was served. */
  readonly conversation?: string
  readonly entry?: AffinityEntry
  readonly begun?: Route | undefined
  /** Selects the channel of the conversation, unless an entry names another one. */
  readonly rendezvous?: Rendezvous | undefined
  random(): number
}

/** Throws with the reason why channels were skipped when there is no route. */
function createPlan(search: RouteSearch): RoutePlan {
  const { catalog, routeOptions, bare, targets, candidates, evaluator } = search
  const { conversation, entry, begun, rendezvous, random } = search
  const { settings } = catalog
  const { userId: callerId, pinnedChannelId } = routeOptions.caller
  const pinned = pinnedChannelId !== undefined
  const forceSwitch = settings['global.auto_retry_enabled'] && settings['global.auto_retry_force_channel_switch']
  const record = new DecisionRecord(candidates.reduce((sum, { pool }) => sum + pool.size, 0))
  const explainer = new RejectionExplainer()
  const tried = new Set<number>()
  const createOrders = () => candidates.map(({ pool }) => createChannelOrder(pool, { random, forceSwitch, rendezvous }))
  const home = rendezvous && candidates[0] && firstOfTier(candidates[0].pool.tiers[0]!, rendezvous)
  let orders = createOrders()
  let held = begun ? begin(begun) : find() // a request without a route is rejected before credit is reserved
  if (!held) throw explainer.toError(catalog, { ...routeOptions, targets }, record)

  function begin(route: Route): Route {
    tried.add(route.channel.id)
    orders[0]?.markTried(route.channel)
    return route
  }

  /**
   * Prefers a channel that was not tried by this request, then one not tried for this target, then any. A channel on
   * which the last turn failed comes after all others.
   */
  function find(): Route | undefined {
    const fresh =
      pick(({ id }) => !tried.has(id) && !(entry?.failed && id === entry.channelId)) ?? pick(({ id }) => !tried.has(id))
    if (fresh || tried.size === 0) return fresh
    const left = pick(() => true)
    if (left) return left
    orders = createOrders()
    return pick(() => true)
  }

  function pick(isAllowed: (channel: CatalogChannel) => boolean): Route | undefined {
    for (const [at, { target, pool }] of candidates.entries()) {
      const route =
        (entry && entry.routed === target.routed && pool.has(entry.channelId) && stay(entry, target, orders[at]!)) ||
        orders[at]!.next((channel) => (isAllowed(channel) ? open(channel, target) : undefined))
      if (!route) continue
      tried.add(route.channel.id)
      if (route.isHome) record.setAffinityChannel(route.channel.id)
      return route
    }
    return undefined
  }

  /** The channel of session affinity, before any random choice. */
  function stay({ channelId, keyId, failed }: AffinityEntry, target: Target, order: ChannelOrder): Route | undefined {
    const channel = failed || tried.has(channelId) ? undefined : catalog.channels.get(channelId)
    const route = channel && open(channel, target)
    if (!route) return undefined
    order.markTried(route.channel)
    record.setAffinityChannel(channelId)
    return { ...route, preferredKeyId: keyId, isHome: false }
  }

  function open(channel: CatalogChannel, target: Target): Route | undefined {
    const evaluation = evaluator.evaluate(channel, target)
    if (evaluation.kind !== 'open') {
      record.skip(channel.id, evaluation.kind)
      explainer.add(evaluation)
      return undefined
    }
    const { model, price } = evaluation
    const mapped = model !== bare
    const keyIds = rendezvous ? keyIdsOf(channel.keys) : []
    const again = tried.has(channel.id)
    return {
      channel,
      group: routeOptions.group,
      model,
      mapped,
      price,
      routed: target.routed,
      again,
      pinned,
      callerId,
      conversation,
      ...(rendezvous && {
        preferredKeyId: keyIds[rendezvous.pick(keyIds)],
        isHome: channel === home && target === candidates[0]?.target,
      }),
    }
  }

  return {
    decision: record.decision,
    next() {
      const route = held ?? find()
      held = undefined
      return route
    },
    readyIn() {
      const found = new RejectionExplainer()
      for (const { target, pool } of candidates) {
        for (const channel of pool.tiers.flatMap(({ channels }) => channels)) {
          const evaluation = evaluator.evaluate(channel, target)
          if (evaluation.kind === 'open') return 0
          found.add(evaluation)
        }
      }
      return found.waitMs
    },
    prices() {
      const names = candidates.flatMap(({ target, pool }) => pool.upstreamNames(routeOptions.model, target.unmapped))
      return [...new Set(names)].flatMap((model) => {
        const price = evaluator.price(model)
        return price instanceof ApiError ? [] : [{ model, price }]
      })
    },
  }
}

/**
 * Joins the plans of several groups: the next group is used when each channel of a group was tried. No channel is tried
 * in two groups.
 */
function joinPlans([first, ...others]: readonly [RoutePlan, ...RoutePlan[]]): RoutePlan {
  if (others.length === 0) return first
  const all = [first, ...others]
  const tried = new Set<number>()
  let at = 0

  /** The next untried channel of a group; one that was tried before when there is no other. */
  function nextOf(plan: RoutePlan): Route | undefined {
    for (;;) {
      const route = plan.next()
      if (!route || route.again || !tried.has(route.channel.id)) return route
    }
  }

  return {
    get decision() {
      return all[at]!.decision
    },
    next() {
      let route = nextOf(all[at]!)
      for (let group = at + 1; (!route || route.again) && group < all.length; group++) {
        const other = nextOf(all[group]!)
        if (!other || other.again) continue
        at = group
        route = other
      }
      if (route) tried.add(route.channel.id)
      return route
    },
    readyIn() {
      const waits = all.map((plan) => plan.readyIn()).filter((wait) => wait !== undefined)
      return waits.length === 0 ? undefined : Math.min(...waits)
    },
    prices: () => all.flatMap((plan) => plan.prices()),
  }
}
