import { api } from '@tidegate/contract'
import type { Deps } from '../deps.ts'
import type { Serve } from '../http/serve.ts'
import { ownModels } from './own-models.ts'
import { usableGroups } from './usable-groups.ts'

export function registerGroups(serve: Serve, { catalog }: Pick<Deps, 'catalog'>): void {
  serve(api.listGroups, () => Object.keys(catalog().settings.GroupRatio))
  serve(api.listOwnGroups, ({ actor }) => Object.fromEntries(usableGroups(catalog().settings, actor.group)))
  serve(api.listOwnModels, ({ actor }) => ownModels(catalog(), actor.group))
}
