import { channelTypeOf } from '@tidegate/contract/api'
import type { ChannelValues } from './channel-values.ts'

interface Change {
  from: number
  to: number
  models: readonly string[]
  /** Models suggested for each type. */
  suggestions: Readonly<Record<string, readonly string[]>>
  /** The channel as it is stored, when there is one. */
  stored?: Pick<ChannelValues, 'type' | 'other'>
}

/**
 * What follows from choosing another type. Its suggestions replace models that nobody chose by hand; its own field starts
 * with the vendor's usual value, for what another vendor's field held means nothing to it.
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
