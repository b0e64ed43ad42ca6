import { createHash } from 'node:crypto'
import type { ExportRecord } from '../export-record.ts'

/** Attribute names of OpenTelemetry's conventions for generative AI. Ours start with `tidegate.`. */

/** Value of `gen_ai.provider.name` by our provider names, where they differ. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  gemini: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  palm: 'gcp.gen_ai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
}

/** For destinations of users, this gateway is the provider: they do not see which one served a request. */
const OWN_NAME = 'tidegate'

export type AttributeValue = string | number | boolean | readonly string[]
export type Attributes = Record<string, AttributeValue>

/** Attributes that spans, metrics and logs share. */
export function commonAttributes({ operation, model, channel, error }: ExportRecord): Attributes {
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': channel ? (PROVIDER_NAMES[channel.provider] ?? channel.provider) : OWN_NAME,
    'gen_ai.request.model': model,
    'gen_ai.response.model': channel?.upstream_model ?? model,
    ...(error && { 'error.type': error.code }),
  }
}

export function requestAttributes(record: ExportRecord): Attributes {
  const { usage, user, token, channel, error } = record
  return {
    ...commonAttributes(record),
    'gen_ai.request.stream': record.stream,
    'gen_ai.response.id': record.request_id,
    'gen_ai.usage.input_tokens': usage.input_tokens,
    'gen_ai.usage.output_tokens': usage.output_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cache_read_tokens,
    // The conventions are renaming the first one to the second.
    'gen_ai.usage.cache_creation.input_tokens': usage.cache_write_tokens,
    'gen_ai.usage.cache_write.input_tokens': usage.cache_write_tokens,
    'gen_ai.usage.reasoning.output_tokens': usage.reasoning_tokens,
    ...(record.first_token_ms !== undefined && {
      'gen_ai.response.time_to_first_chunk': record.first_token_ms / 1000,
    }),
    ...(error?.status !== undefined && { 'http.response.status_code': error.status }),
    'user.id': String(user.id),
    'user.name': user.name,
    'tidegate.request_id': record.request_id,
    'tidegate.status': record.status,
    'tidegate.token.name': token.name,
    'tidegate.group': record.group,
    'tidegate.cost.usd': record.cost.usd,
    'tidegate.cost.quota': record.cost.quota,
    ...(record.client_ip !== undefined && { 'client.address': record.client_ip }),
    ...(channel && { 'tidegate.channel.id': channel.id, 'tidegate.channel.name': channel.name }),
    ...contentAttributes(record),
  }
}

/** The conventions have messages as JSON. */
function contentAttributes({ content }: ExportRecord): Attributes {
  if (!content) return {}
  const message = (role: string, text: string) => ({ role, parts: [{ type: 'text', content: text }] })
  const input = [content.context, content.input].filter((text) => text !== '').map((text) => message('user', text))
  return {
    ...(content.system_prompt !== '' && {
      'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: content.system_prompt }]),
    }),
    'gen_ai.input.messages': JSON.stringify(input),
    'gen_ai.output.messages': JSON.stringify([message('assistant', content.output)]),
  }
}

/** That of the client, if it sent one; else the same for every attempt and destination, so that receivers recognise it. */
export function traceIdOf({ traceparent, request_id, id }: ExportRecord): string {
  return traceparent?.split('-')[1] ?? digest(`trace:${request_id === '' ? id : request_id}`, 32)
}

/** The span of the client. */
export function parentSpanIdOf({ traceparent }: ExportRecord): string | undefined {
  return traceparent?.split('-')[2]
}

/** The name of a span. */
export function spanNameOf({ operation, model }: ExportRecord): string {
  return `${operation} ${model}`
}

/** A realtime session has several rows with one request ID. */
export function spanIdOf({ request_id, id }: ExportRecord): string {
  return digest(`span:${request_id}:${id}`, 16)
}

function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length)
}
