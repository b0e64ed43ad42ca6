import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createServerWithTimeouts, type ClientTimeouts } from './slow-client-timeouts.ts'

const SHORT = 300
const LONG = 60_000
const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n'

describe('a slow client', () => {
  let server: Server | undefined
  afterEach(() => server?.close().closeAllConnections())

  async function serve(
    timeouts: Partial<ClientTimeouts>,
    handler: (request: IncomingMessage, response: ServerResponse) => void = (request, response) =>
      void request.resume().once('end', () => response.end('all there')),
    keepAliveMs = LONG,
  ): Promise<Socket> {
    server = createServerWithTimeouts({}, handler, { headersMs: LONG, requestMs: LONG, stallMs: LONG, ...timeouts })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    server.keepAliveTimeout = keepAliveMs
    return connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1')
  }

  it('gets an error and is disconnected when its headers arrive too slowly', async () => {
    const client = await serve({ headersMs: SHORT })
    client.write('POST / HTTP/1.1\r\nX-Slow: ')

    expect(await wholeOf(client)).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('gets an error and is disconnected when its body arrives too slowly', async () => {
    const client = await serve({ headersMs: SHORT, requestMs: SHORT })
    client.write(HEAD)
    const drip = setInterval(() => client.write('a'), SHORT)

    expect(await wholeOf(client)).toMatch(/^HTTP\/1\.1 408 /)
    clearInterval(drip)
  })

  it('is disconnected when its body stalls', async () => {
    const client = await serve({ stallMs: SHORT })
    client.write(`${HEAD}half`)

    expect(await wholeOf(client)).toBe('')
  })

  it('is disconnected when idle after its body, if it got an early response', async () => {
    const client = await serve({}, (_, response) => response.end('no thanks'), SHORT)
    client.write(`${HEAD}half`)
    client.once('data', () => client.write('second'))

    expect(await wholeOf(client)).toContain('no thanks')
  })

  it('may wait for its response without a limit', async () => {
    const client = await serve({ stallMs: SHORT }, (request, response) => {
      request.resume().once('end', () => setTimeout(() => response.end('late'), SHORT * 3))
    })
    client.write(`${HEAD}0123456789`)

    expect(await untilEnds(client, 'late')).toMatch(/^HTTP\/1\.1 200 /)
  })
})

async function wholeOf(client: Socket): Promise<string> {
  let text = ''
  client.on('data', (piece: string) => (text += piece)).on('error', () => {})
  await once(client, 'close')
  return text
}

async function untilEnds(client: Socket, last: string): Promise<string> {
  let text = ''
  for await (const piece of client) {
    text += piece as string
    if (text.includes(last)) break
  }
  return text
}
