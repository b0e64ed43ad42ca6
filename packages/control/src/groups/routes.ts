import { api } from '@tidegate/contract'
import type { Deps } from '../deps.ts'
import type { Serve } from '../http/serve.ts'
import { usableGroups } from './usable-groups.ts'

export function registerGroups(serve: Serve, { catalog }: Pick<Deps, 'catalog'>): void {
  serve(api.listGroups, () => Object.keys(catalog().settings.GroupRatio))
  serve(api.listOwnGroups, ({ actor }) => Object.fromEntries(usableGroups(catalog().settings, actor.group)))
  serve(api.listOwnModels, ({ actor }) => {
    const groups = [...usableGroups(catalog().settings, actor.group).keys()]
    const models = new Set(groups.flatMap((group) => catalog().modelsFor(group)))
    return [...models].toSorted(new Intl.Collator('en', { numeric: true }).compare)
  })
}
