import type { JsonSchema } from './json-schema.ts'

/**
 * Descriptions by place, then by field. A place is a component (`Channel`), an operation (`GET /api/log`), a path with
 * all paths below it (`/api/log`), or `*` for every place. A key can list several places, separated by commas. A field
 * has its path in the place (`last_error.code`) or the end of that path (`code`). Paths of responses in the envelope
 * begin with `data`.
 */
export type FieldDescriptions = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The description of the field with this path, if there is one. */
export type FindDescription = (path: readonly string[]) => string | undefined

/** The most specific place with a description wins, and in a place the longest path. */
export function indexDescriptions(descriptions: FieldDescriptions) {
  const places = new Map<string, Map<string, string>>()
  for (const [names, fields] of Object.entries(descriptions)) {
    for (const name of names.split(', ')) {
      places.set(name, new Map([...(places.get(name) ?? []), ...Object.entries(fields)]))
    }
  }
  const findIn = (names: readonly string[]): FindDescription => {
    const known = [...names, '*'].flatMap((name) => places.get(name) ?? [])
    return (path) => {
      const ends = path.map((_, start) => path.slice(start).join('.'))
      const found = known.find((fields) => ends.some((end) => fields.has(end)))
      return ends.map((end) => found?.get(end)).find((description) => description !== undefined)
    }
  }
  return {
    ofComponent: (name: string) => findIn([name]),
    ofOperation: (method: string, path: string) => findIn([`${method} ${path}`, ...parentsOf(path)]),
  }
}

/** `/api/log/self` → `/api/log/self`, `/api/log`, `/api`. */
function parentsOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - index).join('/'))
}

/** Keywords with a schema, or a list of schemas, for the same field. */
const NESTED: ReadonlySet<string> = new Set(['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'])

/** The schema with a description of each property, also of nested ones. */
export function describeFields(schema: JsonSchema, find: FindDescription, path: readonly string[] = []): JsonSchema {
  const describe = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(describe)
    return typeof node === 'object' && node !== null ? describeFields(node as JsonSchema, find, path) : node
  }
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties') return [keyword, describeProperties(value as Properties, find, path)]
      return [keyword, NESTED.has(keyword) ? describe(value) : value]
    }),
  )
}

type Properties = Readonly<Record<string, JsonSchema>>

function describeProperties(properties: Properties, find: FindDescription, path: readonly string[]): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const inner = [...path, name]
      const description = find(inner)
      return [name, { ...describeFields(schema, find, inner), ...(description !== undefined && { description }) }]
    }),
  )
}
