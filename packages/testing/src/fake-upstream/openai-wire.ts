import { requireThat } from './checks.ts'
import type { ChatResponse, Failure, ReceivedRequest, UpstreamEvent } from './types.ts'

/** What every form of OpenAI has in common: the key, and the shape of errors. */
export function bearerOf({ headers }: ReceivedRequest): string | undefined {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
}

export function openaiError({ status, message, param, code }: Failure) {
  // A wrong key is a fault of the request to OpenAI, although it answers 401.
  const type = code === 'invalid_api_key' ? 'invalid_request_error' : (TYPES[status] ?? 'server_error')
  return { error: { message, type, param: param ?? null, code: code ?? null } }
}

export function openaiErrorEvent(failure: Failure): UpstreamEvent {
  return { data: JSON.stringify(openaiError(failure)), text: '', tokens: 0 }
}

export const DONE: UpstreamEvent = { data: '[DONE]', text: '', tokens: 0 }

const TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'invalid_request_error',
  429: 'rate_limit_error',
}

/** Counts in the words of chat and legacy completions. Given ones are repeated with every detail. */
export function openaiUsage({ counts, scriptedUsage: givenUsage }: ChatResponse): Record<string, unknown> {
  const { input, output, reasoning } = counts
  if (givenUsage !== undefined) return { total_tokens: input + output, ...givenUsage }
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(reasoning > 0 && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  }
}

/** The counts while the answer is being said. */
export function runningUsage(response: ChatResponse, outputTokens: number): Record<string, unknown> {
  const { input, output } = response.counts
  const completion = Math.min(outputTokens, output)
  return { ...openaiUsage(response), completion_tokens: completion, total_tokens: input + completion }
}

/** Refuses what OpenAI refuses in an output schema: a name it cannot use, and, when strict, an object left open. */
export function checkOpenaiSchema(
  { name, schema, strict }: { name?: unknown; schema?: unknown; strict?: boolean | null },
  path: string,
): void {
  requireThat(
    typeof name === 'string' && NAME.test(name),
    'a name is 1 to 64 of a-z, A-Z, 0-9, _ and -',
    `${path}.name`,
  )
  requireThat(typeof schema === 'object' && schema !== null, 'schema is missing', `${path}.schema`)
  if (strict) checkClosed(schema, `${path}.schema`, true)
}

/** Every object names all of its members and allows no others. */
export function checkClosed(schema: Schema, path: string, allRequired: boolean): void {
  if (schema.type === 'object' || schema.properties !== undefined) {
    requireThat(schema.additionalProperties === false, "'additionalProperties' must be false", path)
    const missing = Object.keys(schema.properties ?? {}).filter((name) => !schema.required?.includes(name))
    requireThat(!allRequired || missing.length === 0, `'required' must name every member: ${missing.join(', ')}`, path)
  }
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    checkClosed(member, `${path}.${name}`, allRequired)
  if (schema.items !== undefined) checkClosed(schema.items, `${path}.items`, allRequired)
  for (const choice of schema.anyOf ?? []) checkClosed(choice, `${path}.anyOf`, allRequired)
}

interface Schema {
  type?: unknown
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: unknown
  items?: Schema
  anyOf?: readonly Schema[]
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/
