import { requireThat } from './checks.ts'
import type { ChatResponse, Failure, ReceivedRequest, UpstreamEvent } from './types.ts'

/** The API key of OpenAI's protocols. */
export function bearerOf({ headers }: ReceivedRequest): string | undefined {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
}

export function openaiError({ status, message, param, code }: Failure) {
  // OpenAI reports a wrong key as an invalid request with status 401.
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

/** Usage in the format of chat and legacy completions. Scripted usage is copied with all details. */
export function openaiUsage({ counts, scriptedUsage: usage }: ChatResponse): Record<string, unknown> {
  const { input, output, reasoning } = counts
  if (usage !== undefined) return { total_tokens: input + output, ...usage }
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(reasoning > 0 && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  }
}

/** Usage so far, within a stream. */
export function runningUsage(response: ChatResponse, outputTokens: number): Record<string, unknown> {
  const { input, output } = response.counts
  const completion = Math.min(outputTokens, output)
  return { ...openaiUsage(response), completion_tokens: completion, total_tokens: input + completion }
}

/** Rejects output schemas that OpenAI rejects: invalid names, and open objects if strict. */
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

/** Every object must list all of its members and allow no others. */
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
