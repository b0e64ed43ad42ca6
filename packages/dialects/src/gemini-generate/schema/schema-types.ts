import { asList, asJsonObject, type JsonObject } from '../../json/json-object.ts'

export type SchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'

const TYPE_NAMES: Readonly<Record<string, SchemaType>> = {
  string: 'string',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
  // Type names of other languages, which clients send by mistake.
  int: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  list: 'array',
  dict: 'object',
  map: 'object',
}

/** Types that a schema allows, with `null` separate. Empty if neither `type` nor another keyword shows them. */
export function readTypes(schema: JsonObject): { types: readonly SchemaType[]; nullable: boolean } {
  const named = [schema.type].flat().filter((type) => typeof type === 'string')
  const lower = named.map((type) => type.toLowerCase())
  const values = readAllowedValues(schema)
  const nullable = schema.nullable === true || lower.includes('null') || values?.includes(null) === true
  const known = lower.flatMap((type) => (Object.hasOwn(TYPE_NAMES, type) ? [TYPE_NAMES[type]!] : []))
  const types = known.length > 0 ? known : (typesOfValues(values) ?? inferTypes(schema))
  return { types: [...new Set(types)], nullable }
}

/** Values that a schema lists. */
export function readAllowedValues({ enum: list, const: only }: JsonObject): readonly unknown[] | undefined {
  if (only !== undefined) return [only]
  return Array.isArray(list) && list.length > 0 ? (list as unknown[]) : undefined
}

export function isNull({ type, enum: list, const: only }: JsonObject): boolean {
  const types = [type].flat()
  if (types.length === 1 && types[0] === 'null') return true
  if (type !== undefined) return false
  return only === null || (asList(list).length === 1 && asList(list)[0] === null)
}

function typesOfValues(values: readonly unknown[] | undefined): SchemaType[] | undefined {
  const types = values?.filter((value) => value !== null).map(typeOfValue)
  if (!types || types.length === 0) return undefined
  return types.includes('number') ? types.map((type) => (type === 'integer' ? 'number' : type)) : types
}

function typeOfValue(value: unknown): SchemaType {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'boolean') return 'boolean'
  if (Array.isArray(value)) return 'array'
  return asJsonObject(value) ? 'object' : 'string'
}

/** Infers the type from its keywords. */
function inferTypes(schema: JsonObject): SchemaType[] {
  const has = (...names: string[]) => names.some((name) => schema[name] !== undefined)
  if (has('properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames')) return ['object']
  if (has('items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains')) return ['array']
  if (has('minLength', 'maxLength', 'pattern', 'format')) return ['string']
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return ['number']
  return []
}
