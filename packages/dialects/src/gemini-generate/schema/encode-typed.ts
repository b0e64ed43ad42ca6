import { asList, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { FlatSchema } from './flatten-schema.ts'
import { type SchemaType, readAllowedValues } from './schema-types.ts'

interface EncodeContext {
  readonly purpose: 'function' | 'response'
  readonly nullable: boolean
  /** Encodes a subschema. `undefined` if no value matches it. */
  convert(schema: unknown): JsonObject | undefined
}

type SchemaFields = Record<string, unknown>

/** Encodes a schema with one type, using Google's keywords for that type. */
export function encodeTyped(
  type: SchemaType,
  { schema, recursiveName }: FlatSchema,
  context: EncodeContext,
): JsonObject {
  const notes: string[] = []
  const keywords = ENCODERS[type](schema, context, notes)
  if (recursiveName) notes.push(`Has the same shape as ${recursiveName}.`)
  const lead = typeof schema.description === 'string' ? [schema.description] : []
  const description = [...lead, ...notes].join(' ')
  return {
    type: type.toUpperCase(),
    // Google rejects titles in structured output.
    ...(context.purpose === 'function' && typeof schema.title === 'string' && { title: schema.title }),
    ...(description && { description }),
    ...(context.nullable && { nullable: true }),
    ...keywords,
  }
}

type KeywordEncoder = (schema: JsonObject, context: EncodeContext, notes: string[]) => SchemaFields

const ENCODERS: Readonly<Record<SchemaType, KeywordEncoder>> = {
  string: encodeString,
  number: (schema, _context, notes) => encodeNumber(schema, notes, false),
  integer: (schema, _context, notes) => encodeNumber(schema, notes, true),
  boolean: encodeBoolean,
  array: encodeArray,
  object: encodeObject,
}

function encodeString(schema: JsonObject, _context: EncodeContext, notes: string[]): SchemaFields {
  const texts = allowedTexts(readAllowedValues(schema))
  // Google rejects an empty string in an enum, and an enum without it would be too strict.
  const isChoice = texts.length > 0 && !texts.includes('')
  if (texts.length > 0 && !isChoice) notes.push(`One of: ${texts.map((text) => JSON.stringify(text)).join(', ')}.`)
  const { format, pattern } = schema
  return {
    ...(isChoice && { enum: texts }),
    ...((format === 'date-time' || (format === 'enum' && isChoice)) && { format }),
    ...copyCounts(schema, ['minLength', 'maxLength']),
    ...(typeof pattern === 'string' && { pattern }),
  }
}

/** If no value is a string, the values are used as JSON text. */
function allowedTexts(values: readonly unknown[] = []): string[] {
  const texts = values.filter((value) => typeof value === 'string')
  const meant =
    texts.length > 0 ? texts : values.filter((value) => value !== null).map((value) => JSON.stringify(value))
  return [...new Set(meant)]
}

const NUMBER_FORMATS = new Set(['float', 'double', 'int32', 'int64'])

function encodeNumber(schema: JsonObject, notes: string[], isWhole: boolean): SchemaFields {
  describeValues(schema, 'number', notes)
  const min = inclusiveBound(schema.minimum, schema.exclusiveMinimum, isWhole ? 1 : 0)
  const max = inclusiveBound(schema.maximum, schema.exclusiveMaximum, isWhole ? -1 : 0)
  const { format } = schema
  return {
    ...(typeof format === 'string' && NUMBER_FORMATS.has(format) && { format }),
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
  }
}

/** An exclusive bound of an integer becomes the next integer. For other numbers it is dropped. */
function inclusiveBound(inclusive: unknown, exclusive: unknown, step: 1 | -1 | 0): number | undefined {
  const bound = typeof inclusive === 'number' ? inclusive : undefined
  if (step === 0) return bound
  if (exclusive === true) return bound === undefined ? undefined : bound + step // draft 4 and earlier
  if (typeof exclusive !== 'number') return bound
  const next = step > 0 ? Math.floor(exclusive) + 1 : Math.ceil(exclusive) - 1
  if (bound === undefined) return next
  return step > 0 ? Math.max(bound, next) : Math.min(bound, next)
}

function encodeBoolean(schema: JsonObject, _context: EncodeContext, notes: string[]): SchemaFields {
  describeValues(schema, 'boolean', notes)
  return {}
}

/** Google allows only strings in an enum, so the description lists other values. */
function describeValues(schema: JsonObject, type: 'number' | 'boolean', notes: string[]): void {
  const values = readAllowedValues(schema)?.filter((value) => typeof value === type)
  if (values && values.length > 0) notes.push(`One of: ${values.join(', ')}.`)
}

function encodeArray(schema: JsonObject, { convert }: EncodeContext, notes: string[]): SchemaFields {
  const tuple = Array.isArray(schema.prefixItems) ? schema.prefixItems : schema.items
  const limits = copyCounts(schema, ['minItems', 'maxItems'])
  if (!Array.isArray(tuple)) {
    const items = convert(schema.items === false ? true : schema.items)
    return { items: items ?? { type: 'STRING' }, ...limits }
  }
  const tupleItems = tuple as unknown[]
  const further = tuple === schema.prefixItems ? schema.items : schema.additionalItems
  const written = tupleItems.map((item) => convert(item) ?? { type: 'STRING' })
  if (written.length > 1) notes.push(`In order: ${written.map((item) => JSON.stringify(item)).join(', ')}.`)
  const anyOf = asJsonObject(further) ? [...tupleItems, further] : tupleItems
  return {
    items: (anyOf.length > 0 && convert({ anyOf })) || { type: 'STRING' },
    ...(further === false && { maxItems: tupleItems.length }),
    ...limits,
  }
}

/** Longer hints do not help the model. */
const MAX_HINT_LENGTH = 400

function encodeObject(schema: JsonObject, { purpose, convert }: EncodeContext, notes: string[]): SchemaFields {
  const entries = Object.entries(asJsonObject(schema.properties) ?? {}).flatMap(([name, value]) => {
    const written = convert(value)
    return written ? [[name, written] as const] : []
  })
  describeOtherProperties(schema, convert, notes)
  // Google rejects an empty list of properties.
  if (entries.length === 0) return copyCounts(schema, ['minProperties', 'maxProperties'])
  const names = entries.map(([name]) => name)
  const required = [...new Set(asList(schema.required))].filter((name) => names.includes(name as string))
  const ordering = asList(schema.propertyOrdering).filter((name) => names.includes(name as string))
  return {
    // `fromEntries` keeps a property named `__proto__`, an assignment would not.
    properties: Object.fromEntries(entries),
    ...(required.length > 0 && { required }),
    ...(ordering.length > 0 && { propertyOrdering: ordering }),
    // Without it, older models sort the members alphabetically.
    ...(ordering.length === 0 && purpose === 'response' && names.length > 1 && { propertyOrdering: names }),
    ...copyCounts(schema, ['minProperties', 'maxProperties']),
  }
}

/** Google has no dictionaries, so the description states the type of their values. */
function describeOtherProperties(schema: JsonObject, convert: EncodeContext['convert'], notes: string[]): void {
  const free = [
    ...Object.entries(asJsonObject(schema.patternProperties) ?? {}).map(
      ([name, value]) => [`named like ${name}`, value] as const,
    ),
    ['of any other name', schema.additionalProperties] as const,
  ]
  for (const [which, value] of free) {
    const written = asJsonObject(value) && convert(value)
    const hint = written && JSON.stringify(written)
    if (hint && hint !== '{"type":"STRING"}' && hint.length <= MAX_HINT_LENGTH)
      notes.push(`Properties ${which}: ${hint}.`)
  }
}

/** Copies non-negative integers and drops any other value. */
function copyCounts(schema: JsonObject, names: readonly string[]): SchemaFields {
  const found: SchemaFields = {}
  for (const name of names) {
    const value = schema[name]
    const count = typeof value === 'string' && value !== '' ? Number(value) : value
    if (typeof count === 'number' && Number.isInteger(count) && count >= 0) found[name] = count
  }
  return found
}
