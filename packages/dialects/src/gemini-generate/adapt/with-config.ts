import type { BodyChanges } from '../../canonical/index.ts'
import { asJsonObject, type JsonObject } from '../../json/json-object.ts'

/** A change of one setting in `generationConfig`, in the spelling the client used. */
export function withConfig(tree: JsonObject, camel: string, snake: string, value: unknown): BodyChanges {
  const config = tree.generation_config === undefined ? 'generationConfig' : 'generation_config'
  const before = asJsonObject(tree[config]) ?? {}
  return { [config]: { ...before, [snake in before ? snake : camel]: value } }
}
