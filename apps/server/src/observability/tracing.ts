import type { ModelRequestEvent } from '@tidegate/gateway'
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Span } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { VERSION } from '../version.ts'
import type { ServerNode } from '../process/node.ts'

/** Exports a trace of every chat request to a collector: the request, its admission steps and each attempt. */
export function exportTraces({ observers, id }: Pick<ServerNode, 'observers' | 'id'>, endpoint: string) {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'tidegate',
      'service.version': VERSION,
      'service.instance.id': id,
    }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }))],
  })
  const tracer = provider.getTracer('tidegate')
  const observe: Parameters<typeof observers.add>[0] = (event) => {
    if (event.kind !== 'model-request') return
    const call = tracer.startSpan(
      `${event.operation ?? 'chat'} ${event.model}`,
      { kind: SpanKind.SERVER, startTime: event.startedAt, attributes: attributesOf(event) },
      contextOf(event),
    )
    if (event.outcome === 'failed') call.setStatus({ code: SpanStatusCode.ERROR, message: 'no channel could serve it' })
    const within = trace.setSpan(ROOT_CONTEXT, call)
    let at = event.startedAt
    const child = (name: string, milliseconds: number, kind = SpanKind.INTERNAL): Span => {
      const span = tracer.startSpan(name, { kind, startTime: at }, within)
      at += milliseconds
      return span
    }
    for (const [step, milliseconds] of Object.entries(event.timing)) child(step, milliseconds).end(at)
    for (const { channel, dialect, milliseconds, status, reason } of event.attempts) {
      const span = child(`channel ${channel}`, milliseconds, SpanKind.CLIENT)
      span.setAttributes({ 'tidegate.channel': channel, 'tidegate.dialect': dialect })
      if (status !== undefined) {
        span.setAttribute('http.response.status_code', status)
        span.setStatus({ code: SpanStatusCode.ERROR, message: reason ?? '' })
      }
      span.end(at)
    }
    call.end(event.startedAt + event.milliseconds)
  }
  observers.add(observe)
  return {
    /** Sends pending spans. An unreachable collector does not block the shutdown. */
    async stop() {
      observers.delete(observe)
      await provider.shutdown().catch(() => undefined)
    },
  }
}

/** The span of the client. The operator gets all traces, also those that the client does not sample. */
function contextOf({ traceparent }: ModelRequestEvent): Context {
  if (traceparent === undefined) return ROOT_CONTEXT
  const [, traceId = '', spanId = ''] = traceparent.split('-')
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true })
}

/** Names of OpenTelemetry's conventions for generative AI; our own start with `tidegate.`. */
function attributesOf(event: ModelRequestEvent) {
  return {
    'gen_ai.operation.name': event.operation ?? 'chat',
    'gen_ai.request.model': event.model,
    'gen_ai.usage.input_tokens': event.inputTokens,
    'gen_ai.usage.output_tokens': event.outputTokens,
    'tidegate.request_id': event.requestId,
    'tidegate.dialect': event.dialect,
    'tidegate.stream': event.stream,
    ...(event.firstTokenMs !== undefined && { 'tidegate.first_token_ms': event.firstTokenMs }),
  }
}
