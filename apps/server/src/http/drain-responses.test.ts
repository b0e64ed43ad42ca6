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
  const lastAnswers = createResponseDrain()
  await listen(lastAnswers.watch((_request, response) => void response.end('fine')))
  const before = await ask()
  await textOf(before)

  lastAnswers.start()
  const after = await ask()

  expect(before.headers.connection).toBe('keep-alive')
  expect(after.headers.connection).toBe('close')
  expect(await textOf(after)).toBe('fine')
})

it('sends `connection: close` also in open responses that ask to keep the connection', async () => {
  const lastAnswers = createResponseDrain()
  const arrived = Promise.withResolvers<() => void>()
  const openStream = lastAnswers.watch((_request, response) =>
    arrived.resolve(() => void response.writeHead(200, { connection: 'keep-alive' }).end('a stream')),
  )
  await listen(openStream)
  const asked = ask()
  const answer = await arrived.promise

  lastAnswers.start()
  answer()

  expect((await asked).headers.connection).toBe('close')
})

async function listen(handler: RequestListener): Promise<void> {
  server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
}

async function ask(): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo
  const [answer] = (await once(request({ port, host: '127.0.0.1', agent }).end(), 'response')) as [IncomingMessage]
  return answer
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of answer.setEncoding('utf8')) text += part as string
  return text
}
