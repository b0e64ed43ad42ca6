import { z } from 'zod'
import * as api from '../api/index.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }

/** What a caller sends, before defaults and transforms. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return tidy(described) as JsonSchema
}

/** What a caller receives. Shapes the API exports are put among the components and pointed at. */
export function replySchema(schema: z.ZodType, components: Map<string, JsonSchema>): JsonSchema {
  const { $schema: _, $defs, ...described } = z.toJSONSchema(schema, { metadata: shapes, unrepresentable: 'any' })
  for (const [name, definition] of Object.entries($defs ?? {})) components.set(name, tidy(definition) as JsonSchema)
  return tidy(described) as JsonSchema
}

const shapes = z.registry<{ id: string }>()
for (const [id, value] of Object.entries(api)) {
  if (value instanceof z.ZodType) shapes.add(value, { id })
}

/** Points at components, and leaves out what would only be noise or forbid us to add a field. */
function tidy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidy)
  if (typeof node !== 'object' || node === null) return node
  const kept = Object.entries(node).filter(([keyword, value]) => !isNoise(keyword, value))
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      keyword === '$ref' ? String(value).replace('#/$defs/', '#/components/schemas/') : tidy(value),
    ]),
  )
}

function isNoise(keyword: string, value: unknown): boolean {
  if (keyword === 'minimum') return value === Number.MIN_SAFE_INTEGER
  if (keyword === 'maximum') return value === Number.MAX_SAFE_INTEGER
  return keyword === 'additionalProperties' && value === false
}
