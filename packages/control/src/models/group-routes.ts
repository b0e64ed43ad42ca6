import { api } from '@tidegate/contract'
import type { Deps } from '../deps.ts'
import type { Serve } from '../serve.ts'
import { callableModels } from './reader.ts'
import { groupsForTokens } from './groups.ts'

export function registerGroups(serve: Serve, deps: Pick<Deps, 'db' | 'catalog'>): void {
  const { catalog } = deps
  serve(api.listGroups, () => Object.keys(catalog().settings.GroupRatio))
  serve(api.listOwnGroups, ({ actor }) => Object.fromEntries(groupsForTokens(catalog().settings, actor.group)))
  serve(api.listOwnModels, ({ actor }) => callableModels(deps, actor))
}
