import type { z } from 'zod'
import { ENDPOINTS, errorsOf, type NamedEndpoint } from '../endpoints.ts'
import { IDEMPOTENCY_HEADER, pathParameters, takesIdempotencyKey } from '../endpoint.ts'
import { describeFields, type FieldDescriptions, type FindDescription, indexDescriptions } from './describe-fields.ts'
import { FIELD_DESCRIPTIONS } from './field-descriptions.ts'
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
  descriptions = FIELD_DESCRIPTIONS,
}: {
  version: string
  serverUrl?: string
  /** Those of another language. */
  descriptions?: FieldDescriptions
}): OpenApiDocument {
  const endpoints = ENDPOINTS.map(({ endpoint }) => endpoint)
  const index = indexDescriptions(descriptions)
  const components: Components = new Map()
  const paths: Record<string, Record<string, Operation>> = {}
  for (const named of ENDPOINTS.toSorted(byPath)) {
    const { method, path } = named.endpoint
    const operations = (paths[path] ??= {})
    operations[method.toLowerCase()] = operationOf(named, components, index.ofOperation(method, path))
  }
  const described = [...components].map(
    ([name, schema]) => [name, describeFields(schema, index.ofComponent(name))] as const,
  )
  return {
    openapi: '3.1.0',
    info: { title: 'Tidegate', version, license: { name: 'Apache 2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      schemas: byName([...Object.entries(errorSchemas(endpoints)), ...described]),
      responses: errorResponses(endpoints),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

function byName(schemas: readonly (readonly [string, JsonSchema])[]): Record<string, JsonSchema> {
  return Object.fromEntries(schemas.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function byPath(a: NamedEndpoint, b: NamedEndpoint): number {
  const keyOf = ({ endpoint }: NamedEndpoint) => `${endpoint.path} ${endpoint.method}`
  return keyOf(a) < keyOf(b) ? -1 : 1
}

function operationOf({ name, endpoint }: NamedEndpoint, components: Components, find: FindDescription) {
  const parameters = [
    ...pathParameters(endpoint.path).map((parameter) => pathParameter(parameter)),
    ...(endpoint.query === undefined ? [] : queryParameters(endpoint.query)),
    ...(takesIdempotencyKey(endpoint) ? [IDEMPOTENCY_PARAMETER] : []),
    ...(endpoint.versioned && endpoint.method === 'PUT' ? [IF_MATCH_PARAMETER] : []),
  ].map((parameter) => describeParameter(parameter, find))
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
            content: {
              'application/json': { schema: describeFields(inputSchema(endpoint.body, components), find) },
            },
          },
        }),
    'x-error-codes': errorsOf(endpoint),
    responses: responsesOf(endpoint, components, find),
  }
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

function describeParameter(parameter: Parameter, find: FindDescription): Parameter {
  const description = find([parameter.name])
  return description === undefined ? parameter : { ...parameter, description }
}

const IDEMPOTENCY_PARAMETER: Parameter = {
  name: IDEMPOTENCY_HEADER,
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 255 },
}

const IF_MATCH_PARAMETER: Parameter = { name: 'If-Match', in: 'header', required: false, schema: { type: 'string' } }

/** Ids are digits only; `/api/user/self` never matches. */
function pathParameter(name: string): Parameter {
  const schema: JsonSchema = name === 'id' ? { type: 'integer', minimum: 1 } : { type: 'string' }
  return { name, in: 'path', required: true, schema }
}

function queryParameters(query: z.ZodType): Parameter[] {
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
