import { groupsToTry, isAutoGroup, ApiError, type ErrorCode } from '@tidegate/contract'
import { conversationId } from '../health/session-affinity.ts'
import type { Health } from '../health/health.ts'
import type { Catalog } from '../ports/index.ts'
import { findCandidates } from './candidates.ts'
import { createJudge } from './evaluate-channel.ts'
import { joinRoutes } from './join-routes.ts'
import { listRoutes } from './list-routes.ts'
import { routeName } from './model-names.ts'
import type { RouteQuestion, Routes } from './route.ts'
import { findStored, onlyWhereStored } from './stored-state.ts'
import { createVirtualModels, type Target } from './virtual-models.ts'

export type { RouteDecision } from '../ports/index.ts'
export type { Route, RouteQuestion, Routes } from './route.ts'

export interface Router {
  /** The shortest prompt that a channel able to serve the call would refuse; Infinity when none would. */
  smallestInputLimit(catalog: Catalog, question: Pick<RouteQuestion, 'caller' | 'group' | 'model'>): number
  /** Refuses when there is no way to serve the call, with the reason. */
  route(catalog: Catalog, question: RouteQuestion): Routes
}

interface RouterDeps {
  readonly health: Pick<Health, 'affinity' | 'coolingDown'>
  random(): number
}

/** Finds the ways to serve calls. Remembers whose turn it is among the targets of virtual models. */
export function createRouter({ health, random }: RouterDeps): Router {
  const virtual = createVirtualModels()
  return {
    smallestInputLimit(catalog, question) {
      if (!limitsInput(catalog)) return Infinity
      const limits = groupsOf(catalog, question).flatMap((group) => {
        const { bare, prefix } = routeName(catalog, group, question.model)
        const targets = virtual.targetsOf(catalog.settings, bare, { peek: true })
        const candidates = findCandidates(catalog, { ...question, group }, { targets, prefix })
        return candidates.map(({ pool }) => pool.smallestInputLimit)
      })
      return Math.min(Infinity, ...limits)
    },

    route(catalog, question) {
      if (!isAutoGroup(catalog.settings, question.group)) return routeIn(catalog, question)
      const turns: Turns = new Map()
      const found: Routes[] = []
      const refusals: ApiError[] = []
      for (const group of groupsOf(catalog, question)) {
        try {
          found.push(routeIn(catalog, { ...question, group }, turns))
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          refusals.push(error)
        }
      }
      const [first, ...others] = found
      if (!first) throw refusalOf(question, refusals)
      return joinRoutes([first, ...others])
    },
  }

  /** Routes within one group. `turns` lets a request that looks at several groups take one turn of a virtual model. */
  function routeIn(catalog: Catalog, question: RouteQuestion, turns: Turns = new Map()): Routes {
    const { bare, prefix } = routeName(catalog, question.group, question.model)
    const conversation = idOf(question)
    const stored = findStored(health.affinity, question)
    const place = stored || conversation === undefined ? undefined : health.affinity.recall(conversation)
    const kept = (stored?.place ?? place)?.routed
    const targets = turns.get(bare) ?? virtual.targetsOf(catalog.settings, bare, { kept })
    turns.set(bare, targets)
    const found = findCandidates(catalog, question, { targets, prefix })
    const candidates = stored ? onlyWhereStored(found, catalog, stored) : found
    const judge = createJudge(catalog, question, health)
    return listRoutes({
      catalog,
      question,
      bare,
      targets: targets.map(({ routed }) => routed),
      candidates,
      judge,
      conversation,
      place,
      random,
    })
  }
}

type Turns = Map<string, readonly Target[]>

/** The groups in which a request may be served. A pinned channel is billed in a group that has it. */
function groupsOf(
  { settings, channels }: Catalog,
  { caller, group }: Pick<RouteQuestion, 'caller' | 'group'>,
): readonly string[] {
  const groups = groupsToTry(settings, caller.userGroup, group)
  const pinned = caller.pinnedChannelId === undefined ? undefined : channels.get(caller.pinnedChannelId)
  const serving = groups.filter((name) => pinned?.groups.includes(name))
  return serving.length > 0 ? serving : groups
}

/** Errors that say only that a group does not have the model, the most helpful first. */
const NOT_SERVED: readonly ErrorCode[] = ['no_channel', 'model_not_in_group', 'model_not_found']

/**
 * The error that helps most: when to retry, else why a channel of the model cannot serve, else that no group has the model.
 */
function refusalOf({ group, model }: RouteQuestion, refusals: readonly ApiError[]): ApiError {
  const [soonest] = refusals
    .filter(({ retryAfterSeconds }) => retryAfterSeconds !== undefined)
    .toSorted((one, other) => one.retryAfterSeconds! - other.retryAfterSeconds!)
  if (soonest) return soonest
  const rank = ({ code }: ApiError) => NOT_SERVED.indexOf(code)
  const [best] = refusals.toSorted((one, other) => rank(one) - rank(other))
  if (best && rank(best) === -1) return best
  return new ApiError(best?.code ?? 'no_channel', { group, model }, { cause: best?.cause })
}

const limited = new WeakMap<Catalog, boolean>()

/** Whether any channel refuses prompts for their length; on most sites none does, and nobody need be asked. */
function limitsInput(catalog: Catalog): boolean {
  let known = limited.get(catalog)
  if (known === undefined) {
    known = [...catalog.channels.values()].some(({ maxInputTokens }) => maxInputTokens > 0)
    limited.set(catalog, known)
  }
  return known
}

/** A pinned channel is nobody's choice to be remembered. */
function idOf({ caller, group, model, conversation }: RouteQuestion): string | undefined {
  if (conversation === undefined || conversation === '' || caller.pinnedChannelId !== undefined) return undefined
  return conversationId(conversation, { userId: caller.userId, group, model })
}
