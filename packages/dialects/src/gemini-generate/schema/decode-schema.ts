import { asList, asJsonObject, type JsonObject } from '../../json/json-object.ts'

/**
 * Converts Google's schema, an OpenAPI subset with uppercase types, to JSON schema. Only visits positions of schemas,
 * so that properties can have any name.
 */
export function decodeSchema(schema: JsonObject): JsonObject {
  const { nullable, example, type: typeName, enum: values, properties, propertyOrdering, property_ordering } = schema
  const type =
    typeName === 'TYPE_UNSPECIFIED' ? undefined : typeof typeName === 'string' ? typeName.toLowerCase() : typeName
  const allowed = Array.isArray(values) ? (values as unknown[]).map((value) => decodeEnumValue(value, type)) : undefined
  const isNullable = nullable === true && typeof type === 'string'
  const written: Record<string, unknown> = {
    ...(type !== undefined && { type: isNullable ? [type, 'null'] : type }),
    ...copySharedKeywords(schema),
    ...(allowed && { enum: isNullable ? [...allowed, null] : allowed }),
    ...(example !== undefined && { examples: [example] }),
  }
  const object = asJsonObject(properties)
  if (object) written.properties = decodeProperties(object, asList(propertyOrdering ?? property_ordering))
  const items = asJsonObject(schema.items)
  if (items) written.items = decodeSchema(items)
  const variants = asList(schema.anyOf ?? schema.any_of)
  if (variants.length > 0) {
    const anyOf = variants.map((variant) => decodeSchema(asJsonObject(variant) ?? {}))
    written.anyOf = nullable === true && !isNullable ? [...anyOf, { type: 'null' }] : anyOf
  }
  return written
}

/** The order of the members is the order of the properties. */
function decodeProperties(properties: JsonObject, order: readonly unknown[]): JsonObject {
  const entries = Object.entries(properties).map(
    ([name, value]) => [name, decodeSchema(asJsonObject(value) ?? {})] as const,
  )
  const position = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return Object.fromEntries(order.length === 0 ? entries : entries.sort(([a], [b]) => position(a) - position(b)))
}

/** Enum values are always strings in Google's schema. */
function decodeEnumValue(value: unknown, type: unknown): unknown {
  if (typeof value !== 'string' || (type !== 'integer' && type !== 'number')) return value
  const number = Number(value)
  return Number.isNaN(number) ? value : number
}

/** Shared keywords: name, snake case name, and whether the value is a count. Counts may be strings. */
const SHARED_KEYWORDS: readonly (readonly [name: string, snake: string, isCount: boolean])[] = [
  ['title', 'title', false],
  ['description', 'description', false],
  ['default', 'default', false],
  ['format', 'format', false],
  ['pattern', 'pattern', false],
  ['required', 'required', false],
  ['minimum', 'minimum', false],
  ['maximum', 'maximum', false],
  ['minItems', 'min_items', true],
  ['maxItems', 'max_items', true],
  ['minLength', 'min_length', true],
  ['maxLength', 'max_length', true],
  ['minProperties', 'min_properties', true],
  ['maxProperties', 'max_properties', true],
  ['additionalProperties', 'additional_properties', false],
]

function copySharedKeywords(schema: JsonObject): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [name, snake, isCount] of SHARED_KEYWORDS) {
    const value = schema[name] ?? schema[snake]
    if (value === undefined || (name === 'format' && value === 'enum')) continue
    const nested = name === 'additionalProperties' ? asJsonObject(value) : undefined
    if (nested) found[name] = decodeSchema(nested)
    else found[name] = isCount && typeof value === 'string' ? Number(value) : value
  }
  return found
}
