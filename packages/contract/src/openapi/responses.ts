import type { z } from 'zod'
import { errorsOf } from '../endpoints.ts'
import type { Endpoint } from '../endpoint.ts'
import { ERRORS, errorMessage, type ErrorCode } from '../errors.ts'
import { describeFields, type FindDescription } from './describe-fields.ts'
import { replySchema, type Components, type JsonSchema } from './json-schema.ts'

interface Response {
  description: string
  headers?: Readonly<Record<string, unknown>>
  content: { 'application/json': { schema: JsonSchema } }
}

interface Responses {
  readonly 200: Response
  readonly [status: number]: Response | { readonly $ref: string }
}

/**
 * Responses of an endpoint by HTTP status. Errors can have status 200 with `success: false`. Other statuses have one
 * description for the whole API; `x-error-codes` of an operation lists its codes.
 */
export function responsesOf(endpoint: Endpoint, components: Components, find: FindDescription): Responses {
  const codes = Map.groupBy(errorsOf(endpoint), (code) => ERRORS[code].status)
  const done = endpoint.bare
    ? describeFields(replySchema(endpoint.reply, components), find)
    : envelope(endpoint.reply, components, find)
  const rejected = codes.get(200) ?? []
  const others = [...codes.keys()].filter((status) => status !== 200)
  return {
    200: {
      description: rejected.length > 0 ? `Done, or rejected: ${rejected.join(', ')}.` : 'Done.',
      ...(endpoint.versioned && { headers: { ETag: { schema: { type: 'string' } } } }),
      content: { 'application/json': { schema: rejected.length > 0 ? { oneOf: [done, ERROR] } : done } },
    },
    ...Object.fromEntries(others.map((status) => [status, { $ref: `#/components/responses/Error${status}` }])),
  }
}

/** Responses other than 200, one for each status. */
export function errorResponses(endpoints: readonly Endpoint[]): Record<string, Response> {
  const codes = new Set(endpoints.flatMap(errorsOf))
  const byStatus = Map.groupBy([...codes].toSorted(), (code) => ERRORS[code].status)
  const statuses = [...byStatus].filter(([status]) => status !== 200).toSorted(([one], [other]) => one - other)
  return Object.fromEntries(statuses.map(([status, list]) => [`Error${status}`, errorResponse(list)]))
}

function errorResponse(codes: readonly ErrorCode[]): Response {
  return {
    description: codes.map((code) => `- \`${code}\`: ${errorMessage(code, 'en')}`).join('\n'),
    content: { 'application/json': { schema: ERROR } },
  }
}

function envelope(reply: z.ZodType, components: Components, find: FindDescription): JsonSchema {
  const properties: Record<string, unknown> = { success: { const: true }, message: { type: 'string' } }
  if (reply.type !== 'undefined') {
    properties['data'] = describeFields(replySchema(reply, components), find, ['data'])
  }
  return { type: 'object', properties, required: Object.keys(properties) }
}

const ERROR: JsonSchema = { $ref: '#/components/schemas/Error' }

/** Schemas of an error and of all error codes. */
export function errorSchemas(endpoints: readonly Endpoint[]): Record<string, JsonSchema> {
  const codes = [...new Set(endpoints.flatMap(errorsOf))].toSorted()
  return {
    Error: {
      type: 'object',
      properties: {
        success: { const: false },
        message: { type: 'string', description: 'For people, in the language of Accept-Language.' },
        code: { $ref: '#/components/schemas/ErrorCode' },
      },
      required: ['success', 'message', 'code'],
    },
    ErrorCode: { type: 'string', description: 'Stable, for programs.', enum: codes },
  }
}
