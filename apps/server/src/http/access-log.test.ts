import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { createLogger } from '../observability/logging.ts'
import { createAccessLog } from './access-log.ts'

function linesOf(url: string, addressOf?: (request: IncomingMessage) => string): unknown[] {
  const sink = new PassThrough()
  const response = Object.assign(new EventEmitter(), { statusCode: 200, writableFinished: true })
  const accessLog = createAccessLog(createLogger('info', { destination: sink }), addressOf)
  accessLog({ url, method: 'GET' } as IncomingMessage, response as unknown as ServerResponse, 'req-1')
  response.emit('close')
  return String(sink.read() ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown)
}

it('logs the client address only if configured', () => {
  const [without] = linesOf('/v1/models?key=sk-secret-value')
  const [withAddress] = linesOf('/v1/models', () => '203.0.113.9')

  expect(without).toMatchObject({ requestId: 'req-1', method: 'GET', path: '/v1/models', status: 200 })
  expect(without).not.toHaveProperty('clientAddress')
  expect(withAddress).toMatchObject({ clientAddress: '203.0.113.9' })
})

it('logs nothing for probes', () => {
  expect(linesOf('/healthz', () => '203.0.113.9')).toEqual([])
})
