import { describe, expect, it } from 'vitest'
import type { ExportRecord } from '../export-record.ts'
import { spanIdOf, traceIdOf } from './gen-ai.ts'
import { langfuseAttributes } from './langfuse.ts'
import { encodeLogs, encodeMetrics, encodeTraces } from './otlp.ts'

const RECORD: ExportRecord = {
  id: 7,
  request_id: 'req-1',
  time: '2026-11-19T10:00:02.500Z',
  status: 'success',
  operation: 'chat',
  model: 'claude-sonnet-4-5',
  stream: true,
  duration_ms: 2500,
  first_token_ms: 400,
  user: { id: 3, name: 'anna' },
  token: { id: 9, name: 'laptop' },
  group: 'default',
  usage: { input_tokens: 100, output_tokens: 40, cache_read_tokens: 60, cache_write_tokens: 10, reasoning_tokens: 15 },
  cost: { quota: 1250, usd: 0.0025 },
}
const CONTEXT = { version: '1.2.3' }

type KeyValue = { key: string; value: Record<string, unknown> }
const plain = (attributes: KeyValue[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
const spansOf = (encoded: object) =>
  (encoded as { resourceSpans: [{ scopeSpans: [{ spans: Record<string, never>[] }] }] }).resourceSpans[0].scopeSpans[0]
    .spans

describe('spans', () => {
  it('have the attributes of the conventions for generative AI', () => {
    const [span] = spansOf(encodeTraces([RECORD], CONTEXT)) as unknown as [Record<string, unknown>]

    expect(span).toMatchObject({
      traceId: traceIdOf(RECORD),
      spanId: spanIdOf(RECORD),
      name: 'chat claude-sonnet-4-5',
      kind: 3,
      startTimeUnixNano: '1795082400000000000',
      endTimeUnixNano: '1795082402500000000',
      status: {},
    })
    expect(plain(span['attributes'] as KeyValue[])).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'tidegate',
      'gen_ai.request.model': 'claude-sonnet-4-5',
      'gen_ai.usage.input_tokens': '100',
      'gen_ai.usage.output_tokens': '40',
      'gen_ai.usage.cache_read.input_tokens': '60',
      'gen_ai.usage.cache_creation.input_tokens': '10',
      'gen_ai.usage.reasoning.output_tokens': '15',
      'gen_ai.response.time_to_first_chunk': 0.4,
      'tidegate.cost.usd': 0.0025,
    })
  })

  it('name the provider of the channel by its well-known name', () => {
    const channel = { id: 1, name: 'eu', provider: 'bedrock', upstream_model: 'anthropic.claude' }

    const [span] = spansOf(encodeTraces([{ ...RECORD, channel }], CONTEXT))

    expect(plain(span!['attributes']!)).toMatchObject({
      'gen_ai.provider.name': 'aws.bedrock',
      'gen_ai.response.model': 'anthropic.claude',
      'tidegate.channel.name': 'eu',
    })
  })

  it('belong to the span of the client, and name the kind of request', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const record = { ...RECORD, operation: 'embeddings', traceparent }

    const [span] = spansOf(encodeTraces([record], CONTEXT))

    expect(span).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentSpanId: 'b7ad6b7169203331',
      spanId: spanIdOf(RECORD),
      name: 'embeddings claude-sonnet-4-5',
    })
    expect(plain(span!['attributes']!)).toMatchObject({ 'gen_ai.operation.name': 'embeddings' })
  })

  it('have the status of an error', () => {
    const error = { code: 'rate_limited', status: 429, message: 'Too many requests.' }

    const [span] = spansOf(encodeTraces([{ ...RECORD, status: 'error', error }], CONTEXT))

    expect(span).toMatchObject({ status: { code: 2, message: 'Too many requests.' } })
    expect(plain(span!['attributes']!)).toMatchObject({
      'error.type': 'rate_limited',
      'http.response.status_code': '429',
    })
  })

  it('have valid IDs that depend on the request only', () => {
    expect(traceIdOf(RECORD)).toMatch(/^[0-9a-f]{32}$/)
    expect(spanIdOf(RECORD)).toMatch(/^[0-9a-f]{16}$/)
    expect(traceIdOf({ ...RECORD, id: 8 })).toBe(traceIdOf(RECORD))
    expect(spanIdOf({ ...RECORD, id: 8 })).not.toBe(spanIdOf(RECORD))
    expect(traceIdOf({ ...RECORD, request_id: 'req-2' })).not.toBe(traceIdOf(RECORD))
  })
})

describe('metrics', () => {
  it('are delta histograms per attribute set', () => {
    const error = { code: 'timeout', message: '' }
    const encoded = encodeMetrics([RECORD, { ...RECORD, id: 8 }, { ...RECORD, status: 'error', error }], CONTEXT)

    const { metrics } = (encoded as { resourceMetrics: [{ scopeMetrics: [{ metrics: Metric[] }] }] }).resourceMetrics[0]
      .scopeMetrics[0]
    const points = (name: string) => metrics.find((metric) => metric.name === name)!.histogram.dataPoints
    expect(metrics.map(({ name, unit, histogram }) => [name, unit, histogram.aggregationTemporality])).toEqual([
      ['gen_ai.client.token.usage', '{token}', 1],
      ['gen_ai.client.operation.duration', 's', 1],
      ['gen_ai.client.operation.time_to_first_chunk', 's', 1],
      ['tidegate.client.operation.cost', '{USD}', 1],
    ])
    expect(points('gen_ai.client.token.usage')).toMatchObject([
      { count: '2', sum: 200, min: 100, max: 100 },
      { count: '2', sum: 80 },
    ])
    const [served, failed] = points('gen_ai.client.operation.duration')
    expect(served).toMatchObject({ count: '2', sum: 5 })
    expect(plain(failed!.attributes)).toMatchObject({ 'error.type': 'timeout' })
    expect(served!.bucketCounts).toHaveLength(served!.explicitBounds.length + 1)
    // 2.5 s lies between 1.28 and 2.56.
    expect(served!.bucketCounts[served!.explicitBounds.indexOf(2.56)]).toBe('2')
  })
})

interface Metric {
  name: string
  unit: string
  histogram: {
    aggregationTemporality: number
    dataPoints: {
      attributes: KeyValue[]
      count: string
      sum: number
      bucketCounts: string[]
      explicitBounds: number[]
    }[]
  }
}

describe('log records', () => {
  it('have the trace of their span', () => {
    const { resourceLogs } = encodeLogs([RECORD], CONTEXT) as {
      resourceLogs: [{ scopeLogs: [{ logRecords: object[] }] }]
    }

    expect(resourceLogs[0].scopeLogs[0].logRecords).toMatchObject([
      { traceId: traceIdOf(RECORD), spanId: spanIdOf(RECORD), severityText: 'INFO' },
    ])
  })
})

describe('attributes for Langfuse', () => {
  it('have usage by kind, the cost and the time of the first token', () => {
    const attributes = langfuseAttributes(RECORD)

    expect(JSON.parse(String(attributes['langfuse.observation.usage_details']))).toEqual({
      input: 30,
      input_cached_tokens: 60,
      input_cache_creation: 10,
      output: 25,
      output_reasoning_tokens: 15,
    })
    expect(JSON.parse(String(attributes['langfuse.observation.cost_details']))).toEqual({ total: 0.0025 })
    expect(attributes['langfuse.observation.completion_start_time']).toBe('2026-11-19T10:00:00.400Z')
    expect(attributes).not.toHaveProperty('langfuse.observation.input')
  })

  it('have prompts if the record has content', () => {
    const content = { system_prompt: 'be kind', context: '', input: 'hello', output: 'hi' }

    const attributes = langfuseAttributes({ ...RECORD, content })

    expect(attributes).toMatchObject({ 'langfuse.observation.output': 'hi' })
    expect(attributes['langfuse.observation.input']).toBe('{"system":"be kind","input":"hello"}')
  })
})
