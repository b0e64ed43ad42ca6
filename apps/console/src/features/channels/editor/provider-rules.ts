import { channelTypeOf } from '@tidegate/contract/api'
import type { ChannelValues } from './channel-values.ts'

interface Change {
  from: number
  to: number
  models: readonly string[]
  /** Models suggested for each type. */
  suggestions: Readonly<Record<string, readonly string[]>>
  /** The stored channel, if there is one. */
  stored?: Pick<ChannelValues, 'type' | 'other'>
}

/**
 * Field changes after another type was selected. Suggested models are replaced; models selected manually stay. The
 * field of the provider gets its default, because the value of another provider is invalid for it.
 */
export function afterTypeChange({ from, to, models, suggestions, stored }: Change): Partial<ChannelValues> {
  const wasSuggested = models.length === 0 || isSameList(models, suggestions[from] ?? [])
  return {
    other: stored?.type === to ? stored.other : (channelTypeOf(to)?.otherDefault ?? ''),
    ...(wasSuggested && { models: [...(suggestions[to] ?? [])] }),
  }
}

function isSameList(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name) => others.includes(name))
}

const NAME = /^[a-z][a-z0-9-]{0,62}$/

/** A region's name, or a JSON object of model names to regions that has a default. */
export function isRegion(text: string): boolean {
  const region = text.trim()
  if (NAME.test(region)) return true
  try {
    const map: unknown = JSON.parse(region)
    if (typeof map !== 'object' || map === null || Array.isArray(map)) return false
    return Object.hasOwn(map, 'default') && Object.values(map).every((value) => NAME.test(String(value)))
  } catch {
    return false
  }
}
