import { asJsonObject, asList, type JsonObject } from '../../json/json-object.ts'
import { type FlatSchema, flattenSchema, intersectSchemas, type SchemaBudget } from './flatten-schema.ts'
import { isNull, readTypes } from './schema-types.ts'
import { encodeTyped } from './encode-typed.ts'

/** Use of a schema: function parameters or structured output. */
export type SchemaPurpose = 'function' | 'response'

/** Google rejects deeper schemas. */
const MAX_DEPTH = 24
const MAX_SCHEMAS = 3000

/**
 * Converts JSON schema to Google's `Schema`: one type per schema, nothing beside `anyOf`, only strings in `enum`,
 * `items` on every array, no references. Unsupported constraints are dropped, so that the result accepts more rather
 * than less, and important ones move to the description. `undefined` for a function without parameters.
 */
export function encodeSchema(schema: JsonObject, purpose: SchemaPurpose): JsonObject | undefined {
  const budget: SchemaBudget = { root: schema, left: MAX_SCHEMAS }

  function convert(value: unknown, references: readonly string[], depth: number): JsonObject | undefined {
    const flat = flattenSchema(budget, value, references)
    return flat && write(flat, depth)
  }

  function write(input: FlatSchema, depth: number): JsonObject {
    const flat = depth > MAX_DEPTH || budget.left < 0 ? { ...input, schema: withoutMembers(input.schema) } : input
    const { anyOf, oneOf, ...base } = flat.schema
    const variants = asList(anyOf ?? oneOf).filter(describesValue)
    if (variants.length > 0) return writeVariants(base, variants, flat.references, depth)
    const { types, nullable } = readTypes(base)
    if (types.length > 1) {
      const each = types.map((type) => ({ type }))
      return writeVariants({ ...base, type: undefined, nullable }, each, flat.references, depth)
    }
    return encodeTyped(
      types[0] ?? 'string', // a string can hold any value
      { ...flat, schema: base },
      { purpose, nullable, convert: (value) => convert(value, flat.references, depth + 1) },
    )
  }

  function writeVariants(
    base: JsonObject,
    variants: readonly unknown[],
    references: readonly string[],
    depth: number,
  ): JsonObject {
    const { description, title, nullable: mayBeNull, ...shape } = base
    const flat = variants.flatMap((variant) => flattenSchema(budget, variant, references) ?? [])
    const nullable = mayBeNull === true || flat.some((variant) => isNull(variant.schema))
    const choices = flat.filter((variant) => !isNull(variant.schema))
    // With a single choice, the description applies to that choice.
    const about = choices.length === 1 ? { title, description } : {}
    const members = choices.map((choice) =>
      write({ ...choice, schema: intersectSchemas(intersectSchemas(about, choice.schema), shape) }, depth + 1),
    )
    return encodeUnion(members, { description, nullable })
  }

  const written = convert(schema, [], 0)
  return purpose === 'function' ? toParameters(written) : written
}

/** A variant with only constraints, such as `required`, does not describe a value. */
function describesValue(variant: unknown): boolean {
  const object = asJsonObject(variant)
  return object ? Object.keys(object).some((name) => !CONSTRAINT_KEYWORDS.has(name)) : variant === true
}

const CONSTRAINT_KEYWORDS = new Set([
  'required',
  'not',
  'if',
  'then',
  'else',
  'minProperties',
  'maxProperties',
  'dependentRequired',
])

function withoutMembers({ type, properties, items, description }: JsonObject): JsonObject {
  const kind = type ?? (properties ? 'object' : items ? 'array' : undefined)
  return { ...(kind !== undefined && { type: kind }), ...(description !== undefined && { description }) }
}

/** Encodes alternatives. Google allows no keyword beside `anyOf`, so each member gets the description. */
function encodeUnion(members: readonly JsonObject[], about: { description: unknown; nullable: boolean }): JsonObject {
  const choices = mergeEnums(
    distinct(members.flatMap((member) => (member.anyOf ? (member.anyOf as JsonObject[]) : [member]))),
  )
  const withDescription = (choice: JsonObject): JsonObject => ({
    ...choice,
    ...(typeof about.description === 'string' && { description: choice.description ?? about.description }),
    ...(about.nullable && { nullable: true }),
  })
  if (choices.length === 0) return withDescription({ type: 'STRING' })
  return choices.length === 1 ? withDescription(choices[0]!) : { anyOf: choices.map(withDescription) }
}

function distinct(members: readonly JsonObject[]): JsonObject[] {
  return [...new Map(members.map((member) => [JSON.stringify(member), member])).values()]
}

/** Merges single-string alternatives into one enum. */
function mergeEnums(members: readonly JsonObject[]): JsonObject[] {
  const arePlain = members.every(
    ({ type, enum: texts, ...rest }) => type === 'STRING' && texts !== undefined && Object.keys(rest).length === 0,
  )
  if (!arePlain || members.length < 2) return [...members]
  return [{ type: 'STRING', enum: [...new Set(members.flatMap((member) => asList(member.enum)))] }]
}

/** Parameters must be an object with properties. Alternatives become one object with all their properties. */
function toParameters(schema: JsonObject | undefined): JsonObject | undefined {
  const members = asList(schema?.anyOf ?? [schema]).map((member) => asJsonObject(member) ?? {})
  const objects = members.filter(({ type, properties }) => type === 'OBJECT' && properties)
  const first = objects[0]
  if (!first) return undefined
  const { nullable: _never, ...parameters } = first
  if (members.length === 1) return parameters
  const { description } = parameters
  // `fromEntries` keeps the last entry, and the first object takes precedence.
  const entries = objects.toReversed().flatMap((object) => Object.entries(asJsonObject(object.properties) ?? {}))
  const required = asList(first.required).filter((name) => members.every((one) => asList(one.required).includes(name)))
  return {
    type: 'OBJECT',
    ...(description !== undefined && { description }),
    properties: Object.fromEntries(entries),
    ...(required.length > 0 && { required }),
  }
}
