import { conversationId } from '../health/affinity.ts'
import type { Health } from '../health/index.ts'
import type { Catalog } from '../ports.ts'
import { findCandidates } from './find-candidates.ts'
import { createJudge } from './judge-channel.ts'
import { listRoutes } from './list-routes.ts'
import { routeName } from './names.ts'
import type { RouteQuestion, Routes } from './route.ts'
import { findStored, onlyWhereStored } from './stored-state.ts'
import { createVirtualModels } from './virtual-models.ts'

export type { RouteDecision } from './decision.ts'
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
      const { bare, prefix } = routeName(catalog, question.group, question.model)
      const targets = virtual.targetsOf(catalog.settings, bare, { peek: true })
      return findCandidates(catalog, question, { targets, prefix }).reduce(
        (smallest, { pool }) => Math.min(smallest, pool.smallestInputLimit),
        Infinity,
      )
    },

    route(catalog, question) {
      const { bare, prefix } = routeName(catalog, question.group, question.model)
      const conversation = idOf(question)
      const stored = findStored(health.affinity, question)
      const place = stored || conversation === undefined ? undefined : health.affinity.recall(conversation)
      const targets = virtual.targetsOf(catalog.settings, bare, { kept: (stored?.place ?? place)?.routed })
      const found = findCandidates(catalog, question, { targets, prefix })
      const candidates = stored ? onlyWhereStored(found, catalog, stored) : found
      const judge = createJudge(catalog, question, health)
      return listRoutes({ catalog, question, bare, candidates, judge, conversation, place, random })
    },
  }
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
