import { asList, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { FlatSchema } from './flatten-schema.ts'
import { type SchemaType, readAllowedValues } from './schema-types.ts'

interface EncodeContext {
  readonly purpose: 'function' | 'response'
  readonly nullable: boolean
  /** A schema within this one; `undefined` for one that nothing matches. */
  convert(schema: unknown): JsonObject | undefined
}

type SchemaFields = Record<string, unknown>

/** What one type of value looks like, in the keywords Google has for that type. */
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
    // Google does not take titles in the form of an answer.
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
  // Google refuses an empty text to choose, and a choice that lacks it would be too narrow.
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

/** Values that are not of the type were meant to be, when none is. */
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

/** Of whole numbers an exclusive bound is the next number; of others there is no next, and it is lost. */
function inclusiveBound(inclusive: unknown, exclusive: unknown, step: 1 | -1 | 0): number | undefined {
  const bound = typeof inclusive === 'number' ? inclusive : undefined
  if (step === 0) return bound
  if (exclusive === true) return bound === undefined ? undefined : bound + step // as drafts up to 4 wrote it
  if (typeof exclusive !== 'number') return bound
  const next = step > 0 ? Math.floor(exclusive) + 1 : Math.ceil(exclusive) - 1
  if (bound === undefined) return next
  return step > 0 ? Math.max(bound, next) : Math.min(bound, next)
}

function encodeBoolean(schema: JsonObject, _context: EncodeContext, notes: string[]): SchemaFields {
  describeValues(schema, 'boolean', notes)
  return {}
}

/** Google takes choices of texts only; a number must stay a number, so the choice is put into words. */
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

/** Longer than this, a hint is no help any more. */
const MAX_HINT_LENGTH = 400

function encodeObject(schema: JsonObject, { purpose, convert }: EncodeContext, notes: string[]): SchemaFields {
  const entries = Object.entries(asJsonObject(schema.properties) ?? {}).flatMap(([name, value]) => {
    const written = convert(value)
    return written ? [[name, written] as const] : []
  })
  describeOtherProperties(schema, convert, notes)
  // An object without properties must not have an empty list of them.
  if (entries.length === 0) return copyCounts(schema, ['minProperties', 'maxProperties'])
  const names = entries.map(([name]) => name)
  const required = [...new Set(asList(schema.required))].filter((name) => names.includes(name as string))
  const ordering = asList(schema.propertyOrdering).filter((name) => names.includes(name as string))
  return {
    // Not by assignment, for which a property called `__proto__` is no property.
    properties: Object.fromEntries(entries),
    ...(required.length > 0 && { required }),
    ...(ordering.length > 0 && { propertyOrdering: ordering }),
    // Without it older models write the members of an answer in the order of the alphabet.
    ...(ordering.length === 0 && purpose === 'response' && names.length > 1 && { propertyOrdering: names }),
    ...copyCounts(schema, ['minProperties', 'maxProperties']),
  }
}

/** Objects used as dictionaries: what their values look like can only be said in words. */
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

/** Whole numbers of zero or more; other values of these keywords are mistakes. */
function copyCounts(schema: JsonObject, names: readonly string[]): SchemaFields {
  const found: SchemaFields = {}
  for (const name of names) {
    const value = schema[name]
    const count = typeof value === 'string' && value !== '' ? Number(value) : value
    if (typeof count === 'number' && Number.isInteger(count) && count >= 0) found[name] = count
  }
  return found
}
