import { byName } from './by-name.ts'
import { isPriced, type PriceList } from './price-list.ts'

/** The name a model is priced by: custom assistants share the price of their family. */
export const priceNameOf = (model: string): string => model.replace(/^(gpt-4o?-gizmo-).*$/, '$1*')

/** Names of models on offer that have neither a price nor a ratio. */
export function unsetModels(enabled: readonly string[], stored: PriceList): string[] {
  const names = new Set(enabled.map(priceNameOf))
  return [...names].filter((name) => !isPriced(stored.get(name) ?? {})).toSorted(byName)
}
