import type { OptionChange, OptionKey } from '@tidegate/contract/api'
import type { OptionTexts } from '../../../api/options.ts'
import { amountsOf, type BuiltInRatios } from '../amounts.ts'
import { changedGroups, readGroups, type GroupSettings } from '../groups.ts'
import { byName, readPriceList, samePrices, type PriceList, type Prices } from '../price-list.ts'
import type { ReviewedModel } from '../review.tsx'

/** The options of a publication. */
export const HISTORY_KEYS = [
  'ModelRates',
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'ModelPrice',
  'GroupRatio',
  'UserUsableGroups',
] as const satisfies readonly OptionKey[]

/** Changes that one administrator made at the same time. */
export interface Publication {
  readonly id: number
  readonly time: number
  readonly actor: string
  readonly actorId: number
  readonly way: OptionChange['way']
  readonly changes: readonly OptionChange[]
  /** All price and group options before and after it. */
  readonly before: OptionTexts
  readonly after: OptionTexts
}

/** Options that are saved one by one arrive within seconds. */
const MAX_SECONDS_APART = 5

/** Groups changes by publication, newest first. The values of unchanged options follow from the later changes. */
export function publicationsOf(changes: readonly OptionChange[], current: OptionTexts): Publication[] {
  const newestFirst = changes.toSorted((one, other) => other.created_at - one.created_at || other.id - one.id)
  const groups: OptionChange[][] = []
  for (const change of newestFirst) {
    const last = groups.at(-1)
    if (last && belongs(change, last)) last.push(change)
    else groups.push([change])
  }
  let later = current
  return groups.map((group) => {
    const after = { ...later, ...valuesOf(group, 'after') }
    const before = { ...after, ...valuesOf(group, 'before') }
    later = before
    const { id, created_at: time, actor, actor_id: actorId, way } = group[0]!
    return { id, time, actor, actorId, way, changes: group, before, after }
  })
}

function belongs(change: OptionChange, group: readonly OptionChange[]): boolean {
  const { actor_id, way, created_at } = group[0]!
  return (
    change.actor_id === actor_id &&
    change.way === way &&
    created_at - change.created_at <= MAX_SECONDS_APART &&
    group.every(({ key }) => key !== change.key)
  )
}

const valuesOf = (group: readonly OptionChange[], side: 'before' | 'after'): OptionTexts =>
  Object.fromEntries(group.flatMap((change) => (change[side] === null ? [] : [[change.key, change[side]]])))

const STATES = ['changed', 'new', 'removed'] as const

/** The models of a publication with their prices in dollars: changed ones first, then new and removed ones. */
export function publishedModels(
  { before, after }: Publication,
  builtInOf: (name: string) => BuiltInRatios,
  usd: number,
): ReviewedModel[] {
  const [old, now] = [readPriceList(before), readPriceList(after)]
  const stateOf = (name: string) => (!old.has(name) ? 'new' : now.has(name) ? 'changed' : 'removed')
  const byState = Map.groupBy(changedModels(old, now), stateOf)
  return STATES.flatMap((state) =>
    (byState.get(state) ?? []).map((name) => ({
      name,
      state,
      before: amountsOf(old.get(name) ?? {}, builtInOf(name), usd),
      after: amountsOf(now.get(name) ?? {}, builtInOf(name), usd),
      stored: { before: old.get(name) ?? {}, after: now.get(name) ?? {} },
    })),
  )
}

const changedModels = (old: PriceList, now: PriceList): string[] =>
  [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => !samePrices(old.get(name) ?? {}, now.get(name) ?? {}))
    .toSorted(byName)

/** What a revert enters into the draft. */
export interface Reversal {
  readonly prices: readonly (readonly [string, Prices | null])[]
  /** Null if no group changes. */
  readonly groups: GroupSettings | null
  /** Models and groups that would change. */
  readonly count: number
}

/** Restores only what the publication changed, and keeps later changes of other models and groups. */
export function reversalOf({ before, after }: Publication, stored: PriceList, groups: GroupSettings): Reversal {
  const old = readPriceList(before)
  const isOutdated = (name: string) => !samePrices(old.get(name) ?? {}, stored.get(name) ?? {})
  const prices = changedModels(old, readPriceList(after))
    .filter(isOutdated)
    .map((name) => [name, old.get(name) ?? null] as const)
  const differing = new Set(changedGroups(before, groups))
  const names = changedGroups(before, readGroups(after)).filter((name) => differing.has(name))
  return { prices, groups: names.length === 0 ? null : withGroups(), count: prices.length + names.length }

  function withGroups(): GroupSettings {
    const oldGroups = new Map(readGroups(before).groups.map((group) => [group.name, group]))
    const known = new Set(groups.groups.map(({ name }) => name))
    const kept = groups.groups.flatMap((group) =>
      names.includes(group.name) ? (oldGroups.get(group.name) ?? []) : group,
    )
    const removed = names.filter((name) => !known.has(name)).flatMap((name) => oldGroups.get(name) ?? [])
    return { ...groups, groups: [...kept, ...removed] }
  }
}
