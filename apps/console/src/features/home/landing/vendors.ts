import type { PricedModel } from '@tidegate/contract/api'

export interface Vendor {
  /** Blank for models that nobody knows the maker of. */
  name: string
  models: string[]
}

/** Makers of the models on offer, those with the most first, the unknown last. */
export function vendorsOf(models: readonly Pick<PricedModel, 'model_name' | 'owner_by'>[]): Vendor[] {
  const vendors = new Map<string, string[]>()
  for (const { owner_by: owner, model_name: model } of models) {
    const own = vendors.get(owner)
    if (own) own.push(model)
    else vendors.set(owner, [model])
  }
  return [...vendors]
    .map(([name, own]) => ({ name, models: own }))
    .toSorted((a, b) => Number(a.name === '') - Number(b.name === '') || b.models.length - a.models.length)
}
