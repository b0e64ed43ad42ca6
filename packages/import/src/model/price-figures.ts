import { optionDefinition, type OptionKey } from '@tidegate/contract'

/**
 * Multiples that those products partly have in their program and not in the option. Taken over alone, the option would
 * sell the output and the cached input of every model it does not name at the price of plain input.
 */
const MULTIPLES: ReadonlySet<OptionKey> = new Set(['CompletionRatio', 'CacheRatio'])

/** A map of multiples with our own figures where it has none; any other value as it is. */
export function withOwnFigures(key: OptionKey, value: unknown): { figures: unknown; added: number } {
  if (!MULTIPLES.has(key)) return { figures: value, added: 0 }
  const given = value as Record<string, number>
  const own = optionDefinition(key).default as Record<string, number>
  const missing = Object.keys(own).filter((name) => !Object.hasOwn(given, name))
  return { figures: { ...own, ...given }, added: missing.length }
}
