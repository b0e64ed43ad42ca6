import { api, publicOptionRows } from '@tidegate/contract'
import type { Deps } from '../deps.ts'
import type { Serve } from '../http/serve.ts'
import { updateOption } from './update-option.ts'

export function registerSettings(serve: Serve, deps: Deps): void {
  serve(api.listOptions, () => publicOptionRows(deps.catalog().settings))
  serve(api.updateOption, ({ actor, body, origin }) => updateOption(deps, actor, body, origin))
}
