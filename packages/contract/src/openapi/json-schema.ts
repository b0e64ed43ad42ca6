import { z } from 'zod'
import * as api from '../api/index.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }

/** Named schemas that operations refer to. */
export type Components = Map<string, JsonSchema>

/** Schema of input, before defaults and transforms. Exported schemas become components named `…Input`. */
export function inputSchema(schema: z.ZodType, components: Components): JsonSchema {
  return describe(schema, components, { io: 'input', nameOf: (id) => `${id}Input` })
}

/** Schema of output. Exported schemas become components with their own names. */
export function replySchema(schema: z.ZodType, components: Components): JsonSchema {
  return describe(schema, components, { io: 'output', nameOf: (id) => id })
}

function describe(
  schema: z.ZodType,
  components: Components,
  { io, nameOf }: { io: 'input' | 'output'; nameOf(id: string): string },
): JsonSchema {
  const options = { io, metadata: shapes, unrepresentable: 'any' } as const
  const { $schema: _, $defs, ...described } = z.toJSONSchema(schema, options)
  const point = (node: unknown) => tidy(node, nameOf) as JsonSchema
  for (const [id, definition] of Object.entries($defs ?? {})) components.set(nameOf(id), point(definition))
  return point(described)
}

const ids = new Map<z.ZodType, string>()
for (const [id, value] of Object.entries(api)) {
  if (value instanceof z.ZodType) ids.set(value, id)
}

/** Metadata of schemas, and the names of those that the API exports. */
const shapes = {
  get: (schema: z.ZodType) => ({ ...z.globalRegistry.get(schema), ...(ids.has(schema) && { id: ids.get(schema) }) }),
} as unknown as typeof z.globalRegistry

/** Rewrites references to components, and removes keywords that are noise or forbid additional fields. */
function tidy(node: unknown, nameOf: (id: string) => string): unknown {
  if (Array.isArray(node)) return node.map((item) => tidy(item, nameOf))
  if (typeof node !== 'object' || node === null) return node
  const relevant = Object.entries(node).filter(([keyword, value]) => !isNoise(keyword, value))
  return Object.fromEntries(
    relevant.map(([keyword, value]) => [
      keyword,
      keyword === '$ref'
        ? `#/components/schemas/${nameOf(String(value).replace('#/$defs/', ''))}`
        : tidy(value, nameOf),
    ]),
  )
}

function isNoise(keyword: string, value: unknown): boolean {
  if (keyword === 'minimum') return value === Number.MIN_SAFE_INTEGER
  if (keyword === 'maximum') return value === Number.MAX_SAFE_INTEGER
  return keyword === 'additionalProperties' && value === false
}
