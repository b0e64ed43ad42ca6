import type { z } from 'zod'
import { refusalsOf } from '../endpoints.ts'
import type { Endpoint } from '../endpoint.ts'
import { ERRORS, errorMessage, type ErrorCode } from '../errors.ts'
import { replySchema, type JsonSchema } from './json-schema.ts'

interface Response {
  description: string
  content: { 'application/json': { schema: JsonSchema } }
}

/** Answers of a call by HTTP status. A business refusal is a 200 too, told apart by `success`. */
export function responsesOf(endpoint: Endpoint, components: Map<string, JsonSchema>): Record<string, Response> {
  const codes = Map.groupBy(refusalsOf(endpoint), (code) => String(ERRORS[code].status))
  const done = endpoint.bare ? replySchema(endpoint.reply, components) : envelope(endpoint.reply, components)
  const refused = codes.get('200') ?? []
  const responses: Record<string, Response> = {
    200: answer(
      refused.length > 0 ? { oneOf: [done, refusal(refused)] } : done,
      ['Done.', ...explain(refused)].join('\n'),
    ),
  }
  for (const [status, list] of codes) {
    if (status !== '200') responses[status] = answer(refusal(list), explain(list).join('\n'))
  }
  return responses
}

function envelope(reply: z.ZodType, components: Map<string, JsonSchema>): JsonSchema {
  const properties: Record<string, unknown> = { success: { const: true }, message: { type: 'string' } }
  if (reply.type !== 'undefined') properties['data'] = replySchema(reply, components)
  return { type: 'object', properties, required: Object.keys(properties) }
}

function refusal(codes: readonly ErrorCode[]): JsonSchema {
  return {
    allOf: [
      { $ref: '#/components/schemas/Refusal' },
      { type: 'object', properties: { code: { enum: [...codes] } }, required: ['code'] },
    ],
  }
}

/** The shape every refusal has. */
export const REFUSAL_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    success: { const: false },
    message: { type: 'string', description: 'For people, in the language of Accept-Language.' },
    code: { type: 'string', description: 'Stable, for programs.' },
  },
  required: ['success', 'message', 'code'],
}

function explain(codes: readonly ErrorCode[]): string[] {
  return codes.map((code) => `- \`${code}\`: ${errorMessage(code, 'en')}`)
}

function answer(schema: JsonSchema, description: string): Response {
  return { description, content: { 'application/json': { schema } } }
}
