import { asList, asJsonObject, type JsonObject } from '../../json/json-object.ts'

/** Keywords the vendor's constrained answers do not know: a schema with one of them is refused. */
const ONLY_TOLD = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
])

const HOLD_NAMED = new Set(['properties', '$defs', 'definitions'])
const HOLD_LISTS = new Set(['anyOf', 'oneOf', 'allOf'])

/**
 * A schema as the vendor takes it where an answer is held to one: objects are closed, and limits it cannot enforce are
 * told to the model in the description instead.
 */
export function fitSchema(schema: JsonObject): JsonObject {
  const fitted: Record<string, unknown> = {}
  const told: string[] = []
  for (const [name, value] of Object.entries(schema)) {
    if (ONLY_TOLD.has(name) && !(name === 'minItems' && (value === 0 || value === 1))) {
      told.push(`${name}: ${JSON.stringify(value)}`)
    } else if (HOLD_NAMED.has(name)) {
      fitted[name] = Object.fromEntries(
        Object.entries(asJsonObject(value) ?? {}).map(([key, inner]) => [key, fitValue(inner)]),
      )
    } else if (HOLD_LISTS.has(name)) {
      fitted[name === 'oneOf' ? 'anyOf' : name] = asList(value).map(fitValue)
    } else {
      fitted[name] = name === 'items' ? fitValue(value) : value
    }
  }
  if ((schema.type === 'object' || schema.properties !== undefined) && schema.additionalProperties === undefined) {
    fitted.additionalProperties = false
  }
  if (told.length > 0) {
    fitted.description = [
      ...(typeof schema.description === 'string' ? [schema.description] : []),
      told.join(', '),
    ].join('\n')
  }
  return fitted
}

function fitValue(value: unknown): unknown {
  const schema = asJsonObject(value)
  return schema ? fitSchema(schema) : value
}
