import { type Endpoint, ENDPOINTS, type NamedEndpoint, openApiDocument } from '@tidegate/contract'

export type Schema = { readonly [keyword: string]: unknown }

/** An endpoint with its parameters, read from the published API description. */
export interface Route extends NamedEndpoint {
  readonly query: Readonly<Record<string, Schema>>
  readonly body: Schema | undefined
}

const description = openApiDocument({ version: 'attacked' })

/** Every endpoint. One that is added to the contract is attacked without a change here. */
export const ROUTES: readonly Route[] = ENDPOINTS.map(({ name, endpoint }) => {
  const operation = description.paths[endpoint.path]![endpoint.method.toLowerCase()]!
  const inQuery = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  return {
    name,
    endpoint,
    query: Object.fromEntries(inQuery.map((parameter) => [parameter.name, parameter.schema])),
    body: resolve(operation.requestBody?.content['application/json'].schema),
  }
})

/** The schema with all references resolved. */
function resolve<Node extends Schema | undefined>(node: Node): Node {
  return inlineSchemas(node) as Node
}

function inlineSchemas(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inlineSchemas)
  if (typeof node !== 'object' || node === null) return node
  const pointer = (node as Schema)['$ref']
  if (typeof pointer === 'string') return inlineSchemas(description.components.schemas[pointer.split('/').at(-1)!])
  return Object.fromEntries(Object.entries(node).map(([keyword, value]) => [keyword, inlineSchemas(value)]))
}

/** Far above any ID that a test creates. */
export const UNKNOWN_ID = 999_999_999

/** Fills in the path parameters. A parameter without a value gets an unknown ID. */
export function pathOf(
  { path }: Pick<Endpoint, 'path'>,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values[name] ?? (name === 'id' ? UNKNOWN_ID : 'a1'))),
  )
}

/** A minimal value that matches the schema. `named` overrides fields by name, at any depth. */
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
