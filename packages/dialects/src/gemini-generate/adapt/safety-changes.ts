import type { BodyChanges } from '../../canonical/index.ts'
import { asList, type JsonObject } from '../../json/json-object.ts'

const CATEGORIES = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
  'HARM_CATEGORY_CIVIC_INTEGRITY',
]

/** The operator's thresholds by category, where the client gave none of its own. */
export function safetyChanges(tree: JsonObject, settings: Readonly<Record<string, string>>): BodyChanges {
  if (asList(tree.safetySettings ?? tree.safety_settings).length > 0) return {}
  const chosen = CATEGORIES.flatMap((category) => {
    const threshold = settings[category] ?? settings.default
    return threshold ? [{ category, threshold }] : []
  })
  if (chosen.length === 0) return {}
  return { [tree.safety_settings === undefined ? 'safetySettings' : 'safety_settings']: chosen }
}
