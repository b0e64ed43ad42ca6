import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ResponseWriter } from './response-writer.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const SIGNS = { comment: 'waiting', everyMs: 1_000, firstMs: 1_000 }

function aResponse({ destroyed }: { destroyed: boolean }): ServerResponse {
  return Object.assign(new EventEmitter(), { destroyed }) as unknown as ServerResponse
}

it('sends no pings to a client that has disconnected, or disconnects later', () => {
  const gone = aResponse({ destroyed: true })
  const leaving = aResponse({ destroyed: false })

  new ResponseWriter(gone).keepAlive(SIGNS)
  new ResponseWriter(leaving).keepAlive(SIGNS)
  expect(vi.getTimerCount()).toBe(1)
  leaving.emit('close')

  expect(vi.getTimerCount()).toBe(0)
})

it('does not wait for a slow client after the response was cut, and sends nothing more', async () => {
  const written: string[] = []
  const response = Object.assign(aResponse({ destroyed: false }), {
    writeHead: () => response,
    write: (data: string) => (written.push(data), false),
    destroy: () => void written.push('destroyed'),
  })
  const writer = new ResponseWriter(response)
  const waiting = writer.write('first')

  writer.abandon()

  await waiting
  expect(writer.isClosed).toBe(true)
  expect(writer.write('second')).toBeUndefined()
  vi.runAllTimers()
  expect(written).toEqual(['first', 'destroyed'])
})
