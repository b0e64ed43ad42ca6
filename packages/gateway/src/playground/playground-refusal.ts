import { Refusal } from '@tidegate/contract'
import type { Catalog } from '../ports.ts'
import { routeName } from '../route/names.ts'

/** Tells a name nobody serves from one that is only out of reach, which its readers cannot find out for themselves. */
export function playgroundRefusal(catalog: Catalog, asked: { group: string; model: string }, error: unknown): unknown {
  if (!(error instanceof Refusal) || error.code !== 'no_channel') return error
  const { group, model } = asked
  return isKnown(catalog, asked)
    ? new Refusal('get_playground_channel_failed', { group, model }, { cause: error })
    : new Refusal('model_not_found', { model }, { cause: error })
}

function isKnown(catalog: Catalog, { group, model }: { group: string; model: string }): boolean {
  const { bare, routed } = routeName(catalog, group, model)
  if (Object.hasOwn(catalog.settings.global_model_mapping.mapping, bare)) return true
  return [...catalog.channels.values()].some(({ models }) => models.includes(routed))
}
