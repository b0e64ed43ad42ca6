import type { ExportRecord } from '../export-record.ts'
import { type Attributes, spanNameOf } from './gen-ai.ts'

/**
 * Langfuse takes OTLP; its own ingestion API is the older way. These attributes fill the fields that it does not read
 * from the conventions.
 */
export function langfuseAttributes(record: ExportRecord): Attributes {
  const { usage, content, error } = record
  const uncached = usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens
  return {
    'langfuse.trace.name': spanNameOf(record),
    'langfuse.user.id': record.user.name,
    'langfuse.trace.tags': [record.group, record.token.name].filter((tag) => tag !== ''),
    'langfuse.observation.type': 'generation',
    'langfuse.observation.model.name': record.model,
    'langfuse.observation.usage_details': JSON.stringify({
      input: Math.max(0, uncached),
      input_cached_tokens: usage.cache_read_tokens,
      input_cache_creation: usage.cache_write_tokens,
      output: Math.max(0, usage.output_tokens - usage.reasoning_tokens),
      output_reasoning_tokens: usage.reasoning_tokens,
    }),
    'langfuse.observation.cost_details': JSON.stringify({ total: record.cost.usd }),
    ...(error && { 'langfuse.observation.level': 'ERROR', 'langfuse.observation.status_message': error.message }),
    ...(record.first_token_ms !== undefined && {
      'langfuse.observation.completion_start_time': firstTokenTime(record, record.first_token_ms),
    }),
    ...(content && {
      'langfuse.observation.input': JSON.stringify({
        ...(content.system_prompt !== '' && { system: content.system_prompt }),
        ...(content.context !== '' && { context: content.context }),
        input: content.input,
      }),
      'langfuse.observation.output': content.output,
    }),
  }
}

function firstTokenTime({ time, duration_ms }: ExportRecord, first: number): string {
  return new Date(Date.parse(time) - duration_ms + first).toISOString()
}
