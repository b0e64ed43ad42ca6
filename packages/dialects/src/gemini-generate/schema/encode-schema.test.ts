import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { encodeSchema, type SchemaPurpose } from './encode-schema.ts'
import { decodeSchema } from './decode-schema.ts'

interface Awkward {
  /** What makes the schema difficult. */
  readonly awkward: string
  readonly for: SchemaPurpose
  readonly schema: JsonObject
  /** Null if there is nothing to send. */
  readonly expected: JsonObject | null
}

const table = JSON.parse(
  readFileSync(new URL('../__fixtures__/awkward-schemas.json', import.meta.url), 'utf8'),
) as Awkward[]

/** Keywords that Google accepts in a `Schema`. */
const KEYWORDS = new Set(
  'type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength maxLength pattern anyOf propertyOrdering items minimum maximum'.split(
    ' ',
  ),
)

/** Google's rules for every schema and subschema. */
function findViolations(schema: JsonObject, at = ''): string[] {
  const unknown = Object.keys(schema).filter((name) => !KEYWORDS.has(name))
  const faults = unknown.map((name) => `${at}: ${name}`)
  const { type, anyOf, enum: choices, items, properties, required } = schema
  if (anyOf !== undefined) {
    if (Object.keys(schema).length > 1) faults.push(`${at}: something beside anyOf`)
    return [...faults, ...(anyOf as JsonObject[]).flatMap((member, path) => findViolations(member, `${at}/${path}`))]
  }
  if (typeof type !== 'string') faults.push(`${at}: no type`)
  if (choices !== undefined && type !== 'STRING') faults.push(`${at}: a choice of what is no text`)
  if (Array.isArray(choices) && choices.some((choice) => typeof choice !== 'string' || choice === '')) {
    faults.push(`${at}: a choice of nothing`)
  }
  if (type === 'ARRAY') faults.push(...(items ? findViolations(items as JsonObject, `${at}[]`) : [`${at}: no items`]))
  const named = asJsonObject(properties)
  if (named && Object.keys(named).length === 0) faults.push(`${at}: no properties`)
  for (const name of (required ?? []) as string[]) {
    if (!named || !Object.hasOwn(named, name)) faults.push(`${at}: ${name} is required`)
  }
  return [
    ...faults,
    ...Object.entries(named ?? {}).flatMap(([name, value]) => findViolations(value as JsonObject, `${at}.${name}`)),
  ]
}

describe('encodeSchema', () => {
  it.each(table)('encodes $awkward', ({ schema, expected, for: purpose }) => {
    const written = encodeSchema(schema, purpose)

    // Compares serialized JSON, because a property named `__proto__` must survive.
    expect(JSON.parse(JSON.stringify(written ?? null))).toEqual(expected)
    expect(written ? findViolations(written) : []).toEqual([])
  })

  it('has a table with every case', () => {
    expect(table.length).toBeGreaterThanOrEqual(60)
    expect(new Set(table.map(({ awkward }) => awkward)).size).toBe(table.length)
  })

  it('does not change its input', () => {
    for (const { schema, for: purpose } of table) {
      const before = JSON.stringify(schema)

      encodeSchema(schema, purpose)

      expect(JSON.stringify(schema)).toBe(before)
    }
  })

  it('keeps a very long enum', () => {
    const choices = Array.from({ length: 5000 }, (_none, path) => `name-${path}`)

    const written = encodeSchema({ type: 'object', properties: { x: { type: 'string', enum: choices } } }, 'function')

    expect(asJsonObject(written?.properties)?.x).toEqual({ type: 'STRING', enum: choices })
  })

  it('cuts off a schema that is too deep', () => {
    const deep = (levels: number): JsonObject => ({
      type: 'object',
      properties: { x: levels === 0 ? { type: 'string' } : deep(levels - 1) },
    })

    const written = JSON.stringify(encodeSchema(deep(200), 'function'))

    expect(written.split('properties').length - 1).toBe(25)
    expect(written).toContain('{"x":{"type":"OBJECT"}}')
  })

  const doubling = (keyword: (reference: JsonObject) => JsonObject): JsonObject => {
    const definitions = Array.from({ length: 40 }, (_none, path) => [
      `d${path}`,
      path === 39 ? { type: 'string' } : keyword({ $ref: `#/$defs/d${path + 1}` }),
    ])
    const $defs = Object.fromEntries(definitions) as JsonObject
    return { type: 'object', properties: { x: { $ref: '#/$defs/d0' } }, $defs }
  }
  const explosive: [string, JsonObject][] = [
    ['properties', doubling((next) => ({ type: 'object', properties: { a: next, b: next } }))],
    ['allOf', doubling((next) => ({ allOf: [next, { ...next }] }))],
    ['anyOf', doubling((next) => ({ anyOf: [next, { type: 'array', items: next }] }))],
  ]
  it.each(explosive)('stays small if definitions double at every step by %s', (_name, schema) => {
    const written = encodeSchema(schema, 'function')

    expect(JSON.stringify(written).length).toBeLessThan(1_000_000)
    expect(findViolations(written!)).toEqual([])
  })

  it('resolves a long chain of references', () => {
    const links = Array.from({ length: 20_000 }, (_none, path) => [`d${path}`, { $ref: `#/$defs/d${path + 1}` }])
    const schema = {
      type: 'object',
      properties: { x: { $ref: '#/$defs/d0' } },
      $defs: Object.fromEntries(links) as JsonObject,
    }

    expect(findViolations(encodeSchema(schema, 'function')!)).toEqual([])
  })
})

describe('decodeSchema', () => {
  it('converts a schema of Google to JSON schema', () => {
    expect(
      decodeSchema({
        type: 'OBJECT',
        properties: {
          type: { type: 'STRING', format: 'enum', enum: ['a'], nullable: true },
          size: { type: 'INTEGER', enum: ['1', '2'], example: 1 },
          list: { type: 'ARRAY', items: { type: 'NUMBER', format: 'double' }, minItems: '2' },
          either: { anyOf: [{ type: 'STRING' }, { type: 'BOOLEAN' }], nullable: true },
          any: { type: 'TYPE_UNSPECIFIED' },
        },
        propertyOrdering: ['size', 'type'],
        required: ['size'],
      }),
    ).toEqual({
      type: 'object',
      properties: {
        size: { type: 'integer', enum: [1, 2], examples: [1] },
        type: { type: ['string', 'null'], enum: ['a', null] },
        list: { type: 'array', items: { type: 'number', format: 'double' }, minItems: 2 },
        either: { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'null' }] },
        any: {},
      },
      required: ['size'],
    })
  })

  it('keeps the property order', () => {
    const { properties } = decodeSchema({ properties: { a: {}, b: {}, c: {} }, propertyOrdering: ['c', 'a'] })

    expect(Object.keys(properties as JsonObject)).toEqual(['c', 'a', 'b'])
  })
})
