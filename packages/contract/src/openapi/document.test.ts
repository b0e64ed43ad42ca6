import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../endpoints.ts'
import { openApiDocument } from './document.ts'

const document = openApiDocument({ version: '1.2.3', serverUrl: 'https://gateway.example' })
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

describe('openApiDocument', () => {
  it('contains the given version and server', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Tidegate', version: '1.2.3' },
      servers: [{ url: 'https://gateway.example' }],
    })
    expect(openApiDocument({ version: '1' }).servers).toEqual([{ url: '/' }])
  })

  it('is deterministic', () => {
    const again = openApiDocument({ version: '1.2.3', serverUrl: 'https://gateway.example' })

    expect(JSON.stringify(again)).toBe(JSON.stringify(document))
  })

  it('has one operation per endpoint, with its name', () => {
    const ids = operations.map(({ operation }) => operation.operationId)

    expect(ids.toSorted()).toEqual(ENDPOINTS.map(({ name }) => name))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('refers to existing components only', () => {
    const pointers = referencesIn(document)

    expect(pointers.length).toBeGreaterThan(0)
    for (const pointer of pointers) expect(resolve(document, pointer), pointer).toBeDefined()
  })

  it('declares every parameter of every path, and ids as integers from 1', () => {
    for (const { path, operation } of operations) {
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')

      expect(declared.map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))
      for (const { name, required, schema } of declared) {
        expect(required).toBe(true)
        if (name === 'id') expect(schema).toEqual({ type: 'integer', minimum: 1 })
      }
    }
  })

  it('has no empty schema of a query or body', () => {
    for (const { operation } of operations) {
      for (const { name, schema } of operation.parameters ?? []) {
        expect(Object.keys(schema).length, `${operation.operationId} ${name}`).toBeGreaterThan(0)
      }
    }
  })

  it('uses only security schemes it declares', () => {
    for (const { operation } of operations) {
      for (const requirement of operation.security) {
        for (const scheme of Object.keys(requirement))
          expect(document.components.securitySchemes).toHaveProperty(scheme)
      }
    }
  })
})

describe('an operation', () => {
  it('wraps its reply in the envelope, beside errors with HTTP 200', () => {
    const { description, content } = document.paths['/api/user/self']!['get']!.responses[200]

    expect(description).toBe('Done, or rejected: user_info_invalid.')
    expect(content['application/json'].schema).toMatchObject({
      oneOf: [
        { properties: { success: { const: true }, data: { $ref: '#/components/schemas/User' } } },
        { $ref: '#/components/schemas/Error' },
      ],
    })
  })

  it('has no data if the endpoint returns none', () => {
    const schema = document.paths['/api/user/logout']!['get']!.responses[200].content['application/json'].schema

    expect(JSON.stringify(schema)).not.toContain('"data"')
  })

  it('lists its error codes, and shares the description of each HTTP status', () => {
    const login = document.paths['/api/user/login']!['post']!

    expect(login['x-error-codes']).toEqual(expect.arrayContaining(['login_failed', 'login_delayed', 'rate_limited']))
    expect(login.responses[429]).toEqual({ $ref: '#/components/responses/Error429' })
    expect(document.components.responses['Error429']!.description).toContain('- `rate_limited`: Too many requests.')
    expect(document.components.schemas['ErrorCode']).toMatchObject({ enum: expect.arrayContaining(['login_failed']) })
  })

  it('has uniform paging if it lists rows in the newer format', () => {
    const other = operations.flatMap(({ path, operation }) => {
      const parameters = new Map<string, Readonly<Record<string, unknown>>>(
        (operation.parameters ?? []).map((parameter) => [parameter.name, parameter.schema]),
      )
      if (!parameters.has('p') && !parameters.has('offset')) return []
      const isUniform =
        parameters.get('p')?.['minimum'] === 1 &&
        parameters.get('page_size')?.['default'] === 20 &&
        JSON.stringify(resolveIn(operation.responses[200])).includes('"page_size"')
      return isUniform ? [] : [path]
    })

    expect(other).toEqual(COMPATIBLE_LISTS)
  })

  it('describes the input before defaults and coercion', () => {
    const token = document.paths['/api/token']!

    expect(token['post']!.requestBody?.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/NewTokenInput',
    })
    expect(document.components.schemas['NewTokenInput']).not.toHaveProperty('required')
    expect(token['get']!.parameters).toMatchObject([
      { name: 'p', required: false, schema: { type: 'integer', minimum: 0 } },
      { name: 'page_size', required: false },
      { name: 'size', required: false, schema: { type: 'integer', maximum: 100 } },
    ])
    expect(document.paths['/api/option']!['put']!.requestBody?.content['application/json'].schema).toMatchObject({
      properties: { value: { type: ['string', 'number', 'boolean'] } },
    })
  })

  it('needs credentials with the user id, except for public endpoints', () => {
    expect(document.paths['/api/status']!['get']!.security).toEqual([])
    expect(document.paths['/api/user/self']!['get']!.security).toEqual([
      { session: [], userId: [] },
      { accessToken: [], userId: [] },
      { automationToken: ['account:read'] },
    ])
    expect(document.paths['/api/user/logout']!['get']!.security[0]).toEqual({})
  })
})

/** Lists whose paging the console of the specification fixes; docs/guides/automate.md names them. */
const COMPATIBLE_LISTS = [
  '/api/admin/messages',
  '/api/admin/messages/search',
  '/api/admin/messages/{id}/recipients',
  '/api/channel',
  '/api/channel/search',
  '/api/channel/tags',
  '/api/log',
  '/api/log/self',
  '/api/mj',
  '/api/mj/self',
  '/api/redemption',
  '/api/redemption/search',
  '/api/task',
  '/api/task/self',
  '/api/token',
  '/api/token/search',
  '/api/user',
  '/api/user/messages',
  '/api/user/search',
]

/** The response with the component that its data points at. */
function resolveIn(response: unknown): unknown {
  return [response, ...referencesIn(response).map((pointer) => resolve(document, pointer))]
}

function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : referencesIn(value),
  )
}

function resolve(root: unknown, pointer: string): unknown {
  return pointer
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], root)
}
