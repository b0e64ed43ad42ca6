import { api } from '@tidegate/contract'
import type { Deps } from '../deps.ts'
import type { Serve } from '../serve.ts'
import { currentMapping, reloadMapping, updateMapping } from './virtual-models.ts'

export function registerModelMapping(serve: Serve, deps: Deps): void {
  serve(api.getModelMapping, () => currentMapping(deps))
  serve(api.updateModelMapping, ({ actor, body, origin }) => updateMapping(deps, actor, body, origin))
  serve(api.reloadModelMapping, () => reloadMapping(deps))
  serve(api.getModelMappingConfig, () => currentMapping(deps))
  serve(api.updateModelMappingConfig, ({ actor, body, origin }) => updateMapping(deps, actor, body, origin))
}
