import type { Schema } from './routes.ts'

/** Something the schema takes, as plain as can be; `named` decides for fields of a name, wherever they are. */
export function sampleOf(schema: Schema, named: Readonly<Record<string, unknown>> = {}): unknown {
  const { type, properties, items, enum: choices, const: only, anyOf, oneOf, allOf, prefixItems } = schema
  if (only !== undefined) return only
  if (Array.isArray(choices)) return choices[0]
  const alternatives = (anyOf ?? oneOf) as Schema[] | undefined
  if (alternatives) return sampleOf(alternatives[0]!, named)
  if (Array.isArray(allOf)) {
    return Object.assign({}, ...(allOf as Schema[]).map((part) => sampleOf(part, named))) as unknown
  }
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((properties ?? {}) as Record<string, Schema>).map(([name, inner]) => [
          name,
          Object.hasOwn(named, name) ? named[name] : sampleOf(inner, named),
        ]),
      )
    case 'array':
      return Array.isArray(prefixItems)
        ? (prefixItems as Schema[]).map((inner) => sampleOf(inner, named))
        : [sampleOf((items ?? {}) as Schema, named)]
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema.minimum ?? schema.exclusiveMinimum ?? 1))
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return 'harbour'.padEnd(Number(schema.minLength ?? 0), 'x').slice(0, Number(schema.maxLength ?? 100))
  }
}
