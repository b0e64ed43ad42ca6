import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createResponseDrain } from './drain-responses.ts'

const agent = new Agent({ keepAlive: true })
let server: Server
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

it('sends `connection: close` only after the drain starts', async () => {
  const responseDrain = createResponseDrain()
  await listen(responseDrain.watch((_request, response) => void response.end('fine')))
  const before = await send()
  await textOf(before)

  responseDrain.start()
  const after = await send()

  expect(before.headers.connection).toBe('keep-alive')
  expect(after.headers.connection).toBe('close')
  expect(await textOf(after)).toBe('fine')
})

it.each([
  ['an object', { connection: 'keep-alive' }],
  ['a list', ['x-kind', 'stream', 'connection', 'keep-alive']],
])('sends `connection: close` also in open responses that ask to keep the connection in %s', async (_, headers) => {
  const responseDrain = createResponseDrain()
  const arrived = Promise.withResolvers<() => void>()
  const openStream = responseDrain.watch((_request, response) =>
    arrived.resolve(() => void response.writeHead(200, headers).end('a stream')),
  )
  await listen(openStream)
  const response = send()
  const respond = await arrived.promise

  responseDrain.start()
  respond()

  expect((await response).headers.connection).toBe('close')
})

async function listen(handler: RequestListener): Promise<void> {
  server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
}

async function send(): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo
  const [response] = (await once(request({ port, host: '127.0.0.1', agent }).end(), 'response')) as [IncomingMessage]
  return response
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += part as string
  return text
}
