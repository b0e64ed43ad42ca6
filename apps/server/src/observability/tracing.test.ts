import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { GatewayEvent } from '@tidegate/gateway'
import { expect, it } from 'vitest'
import { exportTraces } from './tracing.ts'

interface SentSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
  status: { code?: number }
}

it('exports the request, its steps and its attempts as one trace with the request id', async () => {
  const bodies: string[] = []
  const collector = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const observers = new Set<(event: GatewayEvent) => void>()
  const tracing = exportTraces(
    { observers, id: 'node-1' },
    `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  )

  for (const observe of observers) {
    observe({ kind: 'request', outcome: 'served', status: 200, milliseconds: 1 })
    observe({
      kind: 'model-request',
      requestId: 'req-9',
      startedAt: 1_700_000_000_000,
      milliseconds: 500,
      model: 'gpt-4o',
      dialect: 'openai-chat',
      stream: true,
      outcome: 'served',
      attempts: [
        { channel: 3, dialect: 'openai-chat', milliseconds: 100, status: 503, reason: 'server: busy' },
        { channel: 4, dialect: 'openai-chat', milliseconds: 200 },
      ],
      firstTokenMs: 310,
      inputTokens: 7,
      outputTokens: 9,
      timing: { authenticate: 2, prompt: 3 },
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00',
    })
  }
  await tracing.stop()
  collector.close()

  const spans = bodies.flatMap((body) => {
    const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  })
  const root = spans.find(({ parentSpanId }) => parentSpanId === 'b7ad6b7169203331')!
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(['0af7651916cd43dd8448eb211c80319c']))
  expect(root.name).toBe('chat gpt-4o')
  expect(BigInt(root.endTimeUnixNano) - BigInt(root.startTimeUnixNano)).toBe(500_000_000n)
  expect(root.attributes).toContainEqual({ key: 'tidegate.request_id', value: { stringValue: 'req-9' } })
  const children = spans.filter(({ parentSpanId }) => parentSpanId === root.spanId)
  expect(children.map(({ name }) => name).toSorted()).toEqual(['authenticate', 'channel 3', 'channel 4', 'prompt'])
  expect(children.find(({ name }) => name === 'channel 3')!.status.code).toBe(2)
})
