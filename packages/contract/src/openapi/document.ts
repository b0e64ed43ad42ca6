import type { z } from 'zod'
import { ENDPOINTS, errorsOf, type NamedEndpoint } from '../endpoints.ts'
import { IDEMPOTENCY_HEADER, pathParameters, takesIdempotencyKey } from '../endpoint.ts'
import { inputSchema, type Components, type JsonSchema } from './json-schema.ts'
import { errorResponses, errorSchemas, responsesOf } from './responses.ts'
import { SECURITY_SCHEMES, securityOf } from './security.ts'

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly license: object }
  readonly servers: readonly { readonly url: string }[]
  /** By path, then by lower-case method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: ReturnType<typeof errorResponses>
    readonly securitySchemes: typeof SECURITY_SCHEMES
  }
}

export type Operation = ReturnType<typeof operationOf>

/** The OpenAPI document of all endpoints; deterministic. */
export function openApiDocument({
  version,
  serverUrl = '/',
}: {
  version: string
  serverUrl?: string
}): OpenApiDocument {
  const endpoints = ENDPOINTS.map(({ endpoint }) => endpoint)
  const components: Components = new Map(Object.entries(errorSchemas(endpoints)))
  const paths: Record<string, Record<string, Operation>> = {}
  for (const named of ENDPOINTS.toSorted(byPath)) {
    const operations = (paths[named.endpoint.path] ??= {})
    operations[named.endpoint.method.toLowerCase()] = operationOf(named, components)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tidegate', version, license: { name: 'Apache 2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      schemas: byName(components),
      responses: errorResponses(endpoints),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

function byName(components: Components): Record<string, JsonSchema> {
  return Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function byPath(a: NamedEndpoint, b: NamedEndpoint): number {
  const keyOf = ({ endpoint }: NamedEndpoint) => `${endpoint.path} ${endpoint.method}`
  return keyOf(a) < keyOf(b) ? -1 : 1
}

function operationOf({ name, endpoint }: NamedEndpoint, components: Components) {
  const parameters = [
    ...pathParameters(endpoint.path).map((parameter) => pathParameter(parameter)),
    ...(endpoint.query === undefined ? [] : queryParameters(endpoint.query)),
    ...(takesIdempotencyKey(endpoint) ? [IDEMPOTENCY_PARAMETER] : []),
    ...(endpoint.versioned && endpoint.method === 'PUT' ? [IF_MATCH_PARAMETER] : []),
  ]
  return {
    operationId: name,
    tags: [endpoint.path.split('/')[2]!],
    summary: endpoint.summary,
    security: securityOf(endpoint),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: inputSchema(endpoint.body, components) } },
          },
        }),
    'x-error-codes': errorsOf(endpoint),
    responses: responsesOf(endpoint, components),
  }
}

const IDEMPOTENCY_PARAMETER = {
  name: IDEMPOTENCY_HEADER,
  in: 'header',
  required: false,
  description:
    'Within a day, a request with the same key and body returns the first response and has no further effect.',
  schema: { type: 'string', maxLength: 255 },
}

const IF_MATCH_PARAMETER = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the changed resource. If the resource has changed since, the request is rejected with `edit_conflict`.',
  schema: { type: 'string' },
}

/** Ids are digits only; `/api/user/self` never matches. */
function pathParameter(name: string) {
  const schema: JsonSchema = name === 'id' ? { type: 'integer', minimum: 1 } : { type: 'string' }
  return { name, in: 'path', required: true, schema }
}

function queryParameters(query: z.ZodType) {
  // A query with a named schema is split into parameters, so its component is not used.
  const shapes: Components = new Map()
  const schema = inputSchema(query, shapes)
  const { properties = {}, required = [] } = [...shapes.values()][0] ?? schema
  const needed = required as readonly string[]
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => ({
    name,
    in: 'query',
    required: needed.includes(name),
    schema,
  }))
}
