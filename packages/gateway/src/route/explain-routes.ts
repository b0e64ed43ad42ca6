import { candidateGroups } from '@tidegate/contract'
import type { OperationId } from '@tidegate/providers'
import type { ChannelCircuit, Health } from '../health/health.ts'
import type { Catalog, CatalogChannel, SkipReason } from '../ports/index.ts'
import { findCandidates, type Tier } from './candidates.ts'
import {
  channelsListing,
  type ChannelEvaluation,
  type Cooldowns,
  createChannelEvaluator,
  NO_COOLDOWNS,
} from './evaluate-channel.ts'
import { routeName, upstreamName } from './model-names.ts'
import type { RouteOptions } from './route.ts'
import { createVirtualModels, type Target } from './virtual-models.ts'

/** A request to explain. It has no caller, no conversation and no pinned channel. */
export interface RouteQuestion {
  readonly model: string
  readonly group: string
  /** Decides which groups an automatic group stands for. */
  readonly userGroup: string
  readonly promptTokens: number
  readonly operation?: OperationId
  /** False where this process serves no requests: its circuits say nothing. */
  readonly useCircuits: boolean
}

type ChannelFacts = Pick<CatalogChannel, 'id' | 'name' | 'type' | 'priority' | 'weight'>

interface ExplainedChannel {
  readonly channel: ChannelFacts
  /** Undefined where this process does not know it. */
  readonly circuit?: ChannelCircuit
}

export interface ExplainedCandidate extends ExplainedChannel {
  readonly upstreamModel: string
  /** Expected share of the requests of the tier, from 0 to 1. */
  readonly share: number
}

/** Channels among which requests are shared by weight. */
export interface ExplainedTier {
  readonly group: string
  /** The name that channels were looked up by. */
  readonly model: string
  /** Undefined for a model with a prefix: all priorities are in one tier. */
  readonly priority?: number
  /** Added to the weight of each channel. */
  readonly weightFloor: number
  readonly candidates: readonly ExplainedCandidate[]
}

export interface ExcludedChannel extends ExplainedChannel {
  readonly group: string
  readonly model: string
  readonly reason: SkipReason | 'misconfigured'
  readonly inputLimit?: number
  readonly waitMs?: number
}

export interface RouteExplanation {
  /** In the order of the attempts. Tiers without a usable channel are left out. */
  readonly tiers: readonly ExplainedTier[]
  readonly excluded: readonly ExcludedChannel[]
}

interface ExplainDeps {
  readonly catalog: Catalog
  readonly health: Cooldowns & Pick<Health, 'circuitOf'>
}

/** Explains a route plan with the rules of the router, for every channel instead of the next one. */
export function explainRoutes({ catalog, health }: ExplainDeps, question: RouteQuestion): RouteExplanation {
  const tiers: ExplainedTier[] = []
  const excluded: ExcludedChannel[] = []
  const pooled = new Set<number>()
  const others = new Map<CatalogChannel, Pick<ExcludedChannel, 'group' | 'model'>>()
  const circuits = question.useCircuits ? health : undefined
  for (const group of candidateGroups(catalog.settings, question.userGroup, question.group)) {
    const { bare, prefix } = routeName(catalog, group, question.model)
    const targets = createVirtualModels().targetsOf(catalog.settings, bare, { peek: true })
    const options = { ...routeOptions(question), group }
    const evaluator = createChannelEvaluator(catalog, options, circuits ?? NO_COOLDOWNS)
    const found = findCandidates(catalog, options, { targets, prefix })
    for (const { target, pool } of found) {
      for (const tier of pool.tiers) {
        for (const { id } of tier.channels) pooled.add(id)
        const context = { tier, target, group, model: question.model, circuits }
        const evaluations = tier.channels.map((channel) => evaluator.evaluate(channel, target))
        excluded.push(...excludedOf(context, evaluations))
        const candidates = candidatesOf(context, evaluations)
        if (candidates.length === 0) continue
        const { priority } = tier.channels[0]!
        tiers.push({
          group,
          model: target.routed,
          ...(prefix === '' && { priority }),
          weightFloor: weightAt(tier, 0) - Math.max(0, tier.channels[0]!.weight),
          candidates,
        })
      }
    }
    const names = targets.map(({ routed }) => routed)
    const listing = channelsListing(catalog, { prefix, targets: names })
    for (const channel of listing) others.set(channel, { group, model: bare })
  }
  for (const [channel, place] of others) {
    if (pooled.has(channel.id)) continue
    excluded.push({ channel: factsOf(channel), ...place, reason: channel.enabled ? 'other-group' : 'disabled' })
  }
  return { tiers, excluded }
}

function routeOptions({ model, promptTokens, userGroup, operation }: RouteQuestion): Omit<RouteOptions, 'group'> {
  const caller = { userId: 0, userGroup, userSetting: { acceptUnsetRatio: false, showIp: false } }
  return { caller, model, promptTokens, dialect: 'openai-chat', ...(operation && { operation }) }
}

interface TierContext {
  readonly tier: Tier
  readonly target: Target
  readonly group: string
  /** The requested name. */
  readonly model: string
  readonly circuits: Pick<Health, 'circuitOf'> | undefined
}

/** Usable channels. With equal chances when none of them has weight. */
function candidatesOf(context: TierContext, evaluations: readonly ChannelEvaluation[]): ExplainedCandidate[] {
  const { tier } = context
  const usable = evaluations.flatMap((evaluation, at) =>
    evaluation.kind === 'open' ? [{ channel: tier.channels[at]!, weight: weightAt(tier, at) }] : [],
  )
  const total = usable.reduce((sum, { weight }) => sum + weight, 0)
  return usable.map(({ channel, weight }) => ({
    ...describe(context, channel),
    upstreamModel: nameAt(context, channel),
    share: total === 0 ? 1 / usable.length : weight / total,
  }))
}

function excludedOf(context: TierContext, evaluations: readonly ChannelEvaluation[]): ExcludedChannel[] {
  const { tier, target, group } = context
  return evaluations.flatMap((evaluation, at) => {
    if (evaluation.kind === 'open') return []
    const misconfigured = evaluation.kind === 'cannot-serve' && evaluation.misconfigured
    return [
      {
        ...describe(context, tier.channels[at]!),
        group,
        model: target.routed,
        reason: misconfigured ? ('misconfigured' as const) : evaluation.kind,
        ...(evaluation.kind === 'prompt-too-long' && { inputLimit: evaluation.limit }),
        ...(evaluation.kind === 'cooling-down' && { waitMs: evaluation.waitMs }),
      },
    ]
  })
}

function describe(context: TierContext, channel: CatalogChannel): ExplainedChannel {
  const circuit = context.circuits?.circuitOf(channel, nameAt(context, channel))
  return { channel: factsOf(channel), ...(circuit && { circuit }) }
}

function nameAt({ target: { routed, unmapped }, model }: TierContext, channel: CatalogChannel): string {
  return upstreamName(channel, routed, model, unmapped)
}

/** Without keys and settings. */
function factsOf({ id, name, type, priority, weight }: CatalogChannel): ChannelFacts {
  return { id, name, type, priority, weight }
}

function weightAt({ weightUpTo }: Tier, at: number): number {
  return weightUpTo[at]! - (weightUpTo[at - 1] ?? 0)
}
