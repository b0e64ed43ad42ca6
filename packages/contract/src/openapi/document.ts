import { ENDPOINTS, type NamedEndpoint } from '../endpoints.ts'
import { IDEMPOTENCY_HEADER, pathParameters, takesIdempotencyKey } from '../endpoint.ts'
import { inputSchema, type JsonSchema } from './json-schema.ts'
import { REFUSAL_SCHEMA, responsesOf } from './responses.ts'
import { SECURITY_SCHEMES, securityOf } from './security.ts'

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string }
  readonly servers?: readonly { readonly url: string }[]
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly securitySchemes: typeof SECURITY_SCHEMES
  }
}

export type Operation = ReturnType<typeof operationOf>

/** Describes every call of the API; the same input always gives the same document. */
export function openApiDocument({ version, serverUrl }: { version: string; serverUrl?: string }): OpenApiDocument {
  const components = new Map<string, JsonSchema>([['Refusal', REFUSAL_SCHEMA]])
  const paths: Record<string, Record<string, Operation>> = {}
  for (const named of ENDPOINTS.toSorted(byPath)) {
    const operations = (paths[named.endpoint.path] ??= {})
    operations[named.endpoint.method.toLowerCase()] = operationOf(named, components)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tidegate', version },
    ...(serverUrl === undefined ? {} : { servers: [{ url: serverUrl }] }),
    paths,
    components: { schemas: byName(components), securitySchemes: SECURITY_SCHEMES },
  }
}

function byName(components: ReadonlyMap<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function byPath(a: NamedEndpoint, b: NamedEndpoint): number {
  const keyOf = ({ endpoint }: NamedEndpoint) => `${endpoint.path} ${endpoint.method}`
  return keyOf(a) < keyOf(b) ? -1 : 1
}

function operationOf({ name, endpoint }: NamedEndpoint, components: Map<string, JsonSchema>) {
  const parameters = [
    ...pathParameters(endpoint.path).map((parameter) => pathParameter(parameter)),
    ...(endpoint.query === undefined ? [] : queryParameters(inputSchema(endpoint.query))),
    ...(takesIdempotencyKey(endpoint) ? [IDEMPOTENCY_PARAMETER] : []),
  ]
  return {
    operationId: name,
    tags: [endpoint.path.split('/')[2]!],
    summary: endpoint.summary,
    security: securityOf(endpoint),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: inputSchema(endpoint.body) } } } }),
    responses: responsesOf(endpoint, components),
  }
}

const IDEMPOTENCY_PARAMETER = {
  name: IDEMPOTENCY_HEADER,
  in: 'header',
  required: false,
  description: 'Sent again within a day with the same body, the call answers as it did and does nothing more.',
  schema: { type: 'string', maxLength: 255 },
}

/** Ids are digits only; `/api/user/self` is never read as one. */
function pathParameter(name: string) {
  const schema: JsonSchema = name === 'id' ? { type: 'integer', minimum: 1 } : { type: 'string' }
  return { name, in: 'path', required: true, schema }
}

function queryParameters({ properties = {}, required = [] }: JsonSchema) {
  const needed = required as readonly string[]
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => ({
    name,
    in: 'query',
    required: needed.includes(name),
    schema,
  }))
}
