import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { aChannel } from '../support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../support/gateway.ts'

const MODEL = 'gpt-4o-realtime-preview'

/** A provider that never responds, unless it accepts at once. */
let provider: Server
let agrees = false
const agreed = new WebSocketServer({ noServer: true })
let attempts = 0
let gateway: TestGateway
beforeAll(async () => {
  provider = createServer().listen(0, '127.0.0.1')
  provider.on('upgrade', (request, socket) => {
    attempts += 1
    if (agrees) agreed.handleUpgrade(request, socket, Buffer.alloc(0), () => {})
  })
  await once(provider, 'listening')
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  gateway = await startGateway({
    channels: [aChannel({ baseUrl, models: [MODEL] })],
    settings: { ModelRatio: { [MODEL]: 1 } },
  })
})
afterAll(async () => {
  provider.closeAllConnections()
  provider.close()
  await gateway.close()
})

/** Writes the handshake by hand, because a library would not send an invalid one. */
async function openSocket(key: string, { nonce = 'dGhlIHNhbXBsZSBub25jZQ==' } = {}): Promise<Socket> {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    [
      `GET /v1/realtime?model=${MODEL} HTTP/1.1`,
      'host: gateway',
      'connection: Upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${nonce}`,
      'sec-websocket-protocol: realtime',
      `authorization: Bearer ${key}`,
      '\r\n',
    ].join('\r\n'),
  )
  return socket
}

it('rejects a connection with an error, and closes it', async () => {
  const socket = await openSocket('sk-wrong')
  let text = ''
  socket.on('data', (data: Buffer) => (text += data.toString()))

  await once(socket, 'close')

  expect(text).toMatch(/^HTTP\/1\.1 401 /)
  expect(text).toContain('invalid_api_key')
})

it('survives a client that disconnects while a provider is called', async () => {
  const before = attempts
  const socket = await openSocket(KEY)
  await expect.poll(() => attempts).toBe(before + 1)

  socket.resetAndDestroy()

  await expect.poll(() => gateway.gateway.openRequests()).toBe(0)
  expect(gateway.credit.states()).toEqual(['released'])
  expect((await gateway.send({ path: '/v1/models', headers: { authorization: `Bearer ${KEY}` } })).status).toBe(200)
})

it('does not wait for a client with an invalid handshake', async () => {
  agrees = true
  const socket = await openSocket(KEY, { nonce: 'short' })
  let text = ''
  socket.on('data', (data: Buffer) => (text += data.toString()))

  await once(socket, 'close')

  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  await expect.poll(() => gateway.gateway.openRequests()).toBe(0)
  expect(gateway.credit.states()).not.toContain('reserved')
})
