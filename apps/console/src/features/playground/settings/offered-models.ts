import type { PricedModel } from '@tidegate/contract/api'
import { DEFAULT_MODEL } from './playground-settings.ts'

/** Models that a group can be asked for; all of them while no group is known. */
export function offeredIn(models: readonly PricedModel[], group: string): PricedModel[] {
  return group === '' ? [...models] : models.filter(({ enable_groups }) => enable_groups.includes(group))
}

/** The one that was wanted where it is offered, else the usual one, else the first. */
export function modelToUse(wanted: string, offered: readonly PricedModel[]): string {
  const names = offered.map(({ model_name }) => model_name)
  return [wanted, DEFAULT_MODEL].find((name) => names.includes(name)) ?? names[0] ?? wanted
}

/** Whether it looks at pictures, as far as anybody knows. */
export function seesPictures(models: readonly PricedModel[], name: string): boolean {
  return models.find(({ model_name }) => model_name === name)?.abilities.includes('vision') ?? false
}
