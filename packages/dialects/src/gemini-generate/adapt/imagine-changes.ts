import type { BodyChanges } from '../../canonical/index.ts'
import { asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { withConfig } from './with-config.ts'

/** Models that draw answer in text alone unless told otherwise. What the client set itself stays. */
export function imagineChanges(tree: JsonObject, model: string, supported: readonly string[]): BodyChanges {
  if (!supported.includes(model)) return {}
  const config = asJsonObject(tree.generationConfig ?? tree.generation_config)
  if ((config?.responseModalities ?? config?.response_modalities) !== undefined) return {}
  return withConfig(tree, 'responseModalities', 'response_modalities', ['TEXT', 'IMAGE'])
}
