import type { ExportRecord } from '../export-record.ts'
import {
  type Attributes,
  type AttributeValue,
  commonAttributes,
  parentSpanIdOf,
  requestAttributes,
  spanIdOf,
  spanNameOf,
  traceIdOf,
} from './gen-ai.ts'

/**
 * OTLP as JSON. Written by hand: the encoders of the OpenTelemetry SDK need its span and metric objects, which only an
 * SDK that measured the request itself can create.
 */

const SPAN_KIND_CLIENT = 3
const STATUS_ERROR = 2
const DELTA = 1
const SEVERITY = {
  info: { severityNumber: 9, severityText: 'INFO' },
  error: { severityNumber: 17, severityText: 'ERROR' },
}
const EVENT_NAME = 'gen_ai.client.inference.operation.details'

export interface OtlpContext {
  readonly version: string
  /** Attributes for one receiver. */
  extra?(record: ExportRecord): Attributes
}

/** One span per request. */
export function encodeTraces(records: readonly ExportRecord[], { version, extra }: OtlpContext): object {
  const spans = records.map((record) => ({
    traceId: traceIdOf(record),
    spanId: spanIdOf(record),
    parentSpanId: parentSpanIdOf(record),
    name: spanNameOf(record),
    kind: SPAN_KIND_CLIENT,
    startTimeUnixNano: nanoseconds(startOf(record)),
    endTimeUnixNano: nanoseconds(Date.parse(record.time)),
    attributes: keyValues({ ...requestAttributes(record), ...extra?.(record) }),
    status: record.error ? { code: STATUS_ERROR, message: record.error.message } : {},
  }))
  return { resourceSpans: [{ resource: resource(version), scopeSpans: [{ scope: scope(version), spans }] }] }
}

/** One log record per request, with the trace of its span. */
export function encodeLogs(records: readonly ExportRecord[], { version }: OtlpContext): object {
  const logRecords = records.map((record) => ({
    timeUnixNano: nanoseconds(Date.parse(record.time)),
    observedTimeUnixNano: nanoseconds(Date.parse(record.time)),
    ...(record.error ? SEVERITY.error : SEVERITY.info),
    eventName: EVENT_NAME,
    body: { stringValue: record.error?.message ?? spanNameOf(record) },
    traceId: traceIdOf(record),
    spanId: spanIdOf(record),
    attributes: keyValues(requestAttributes(record)),
  }))
  return { resourceLogs: [{ resource: resource(version), scopeLogs: [{ scope: scope(version), logRecords }] }] }
}

/** Bucket boundaries of the conventions. */
const TOKEN_BOUNDS = Array.from({ length: 14 }, (_, power) => 4 ** power)
const SECOND_BOUNDS = Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power)

/** Histograms of the requests of this delivery, as deltas: the receiver adds them up. */
export function encodeMetrics(records: readonly ExportRecord[], { version }: OtlpContext): object {
  const tokens = histogram('gen_ai.client.token.usage', '{token}', TOKEN_BOUNDS)
  const duration = histogram('gen_ai.client.operation.duration', 's', SECOND_BOUNDS)
  const firstChunk = histogram('gen_ai.client.operation.time_to_first_chunk', 's', SECOND_BOUNDS)
  const cost = histogram('tidegate.client.operation.cost', '{USD}', [])
  for (const record of records) {
    const attributes = commonAttributes(record)
    duration.add(attributes, record.duration_ms / 1000)
    if (record.first_token_ms !== undefined) firstChunk.add(attributes, record.first_token_ms / 1000)
    if (record.status === 'error') continue
    tokens.add({ ...attributes, 'gen_ai.token.type': 'input' }, record.usage.input_tokens)
    tokens.add({ ...attributes, 'gen_ai.token.type': 'output' }, record.usage.output_tokens)
    cost.add(attributes, record.cost.usd)
  }
  const span = {
    startTimeUnixNano: nanoseconds(Math.min(...records.map(startOf))),
    timeUnixNano: nanoseconds(Math.max(...records.map(({ time }) => Date.parse(time)))),
  }
  const metrics = [tokens, duration, firstChunk, cost].flatMap((metric) => metric.encode(span))
  return { resourceMetrics: [{ resource: resource(version), scopeMetrics: [{ scope: scope(version), metrics }] }] }
}

interface Point {
  readonly attributes: Attributes
  readonly counts: number[]
  sum: number
  min: number
  max: number
}

function histogram(name: string, unit: string, bounds: readonly number[]) {
  const points = new Map<string, Point>()
  return {
    add(attributes: Attributes, value: number): void {
      const key = JSON.stringify(attributes)
      let point = points.get(key)
      if (!point) {
        const counts = Array.from({ length: bounds.length + 1 }, () => 0)
        points.set(key, (point = { attributes, counts, sum: 0, min: value, max: value }))
      }
      const bucket = bounds.findIndex((bound) => value <= bound)
      point.counts[bucket === -1 ? bounds.length : bucket]! += 1
      point.sum += value
      point.min = Math.min(point.min, value)
      point.max = Math.max(point.max, value)
    },
    encode(span: object): object[] {
      const dataPoints = [...points.values()].map(({ attributes, counts, sum, min, max }) => ({
        ...span,
        attributes: keyValues(attributes),
        count: String(counts.reduce((total, count) => total + count, 0)),
        sum,
        min,
        max,
        bucketCounts: counts.map(String),
        explicitBounds: bounds,
      }))
      if (dataPoints.length === 0) return []
      return [{ name, unit, histogram: { aggregationTemporality: DELTA, dataPoints } }]
    },
  }
}

function startOf({ time, duration_ms }: ExportRecord): number {
  return Date.parse(time) - duration_ms
}

/** As text, because JavaScript numbers have too few digits. */
function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds)}000000`
}

function resource(version: string) {
  return { attributes: keyValues({ 'service.name': 'tidegate', 'service.version': version }) }
}

function scope(version: string) {
  return { name: 'tidegate', version }
}

function keyValues(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))
}

function anyValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { arrayValue: { values: value.map(anyValue) } }
}
