import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { WebSocketServer, type WebSocket } from 'ws'
import { chatFormat, completionFormat } from './openai-compatible.ts'
import type { Body, Reply } from './wire-formats.ts'

export interface ReceivedRequest {
  readonly method: string
  /** With its query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  text: string
  /** Empty when it is not JSON. */
  body: Body
}

export type Responder = (request: ReceivedRequest) => Reply

export interface FakeProvider {
  readonly url: string
  /** Requests of the channel under test, in order. */
  readonly requests: ReceivedRequest[]
  /** Requests that exchange keys for tokens. */
  readonly exchanges: ReceivedRequest[]
  /** How often the spare channel was called. */
  spareRequests: number
  respond: Responder
  /** Responds to requests other than those of the channel, such as a token exchange. */
  exchangeToken: (request: ReceivedRequest) => Reply | undefined
  /** Handles a WebSocket connection. */
  handleSocket: (socket: WebSocket, request: ReceivedRequest) => void
  reset(): void
  close(): void
}

/** A channel of another provider, for requests that the one under test does not serve. */
export const SPARE_KEY = 'sk-spare-0123456789'
export const SPARE_TEXT = 'from the spare'

/** A server that responds as configured, and records its requests. */
export async function startProvider(): Promise<FakeProvider> {
  const notFound: Responder = () => ({ status: 404, body: '' })
  const provider: FakeProvider = {
    url: '',
    requests: [],
    exchanges: [],
    spareRequests: 0,
    respond: notFound,
    exchangeToken: () => undefined,
    handleSocket: respondToMessage,
    reset() {
      provider.requests.length = 0
      provider.exchanges.length = 0
      provider.spareRequests = 0
      provider.respond = notFound
      provider.exchangeToken = () => undefined
      provider.handleSocket = respondToMessage
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  /** One message is the request; every line of the response is a message too. */
  function respondToMessage(socket: WebSocket, received: ReceivedRequest): void {
    socket.on('message', (data: Buffer) => {
      received.text = data.toString()
      received.body = parseBody(received.text)
      for (const line of String(provider.respond(received).body).split('\n')) socket.send(line)
      socket.close(1000)
    })
  }
  const server = createServer((request, response) => void serve(provider, request, response))
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const received = { method: 'GET', url: request.url ?? '', headers: request.headers, text: '', body: {} }
    provider.requests.push(received)
    sockets.handleUpgrade(request, socket, head, (opened) => provider.handleSocket(opened, received))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(provider, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

async function serve(provider: FakeProvider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = (await buffer(request)).toString('latin1')
  const received: ReceivedRequest = {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers,
    text,
    body: parseBody(text),
  }
  const { status = 200, headers = {}, body } = reply(provider, received)
  response.writeHead(status, headers).end(body)
}

function reply(provider: FakeProvider, received: ReceivedRequest): Reply {
  if (received.headers.authorization === `Bearer ${SPARE_KEY}`) {
    provider.spareRequests += 1
    const output = { model: 'gpt-4o', pieces: [SPARE_TEXT], counts: { input: 1, output: 1 } }
    const format = received.url.endsWith('/v1/completions') ? completionFormat : chatFormat('requested')
    return received.body.stream === true ? format.stream(output, received.body) : format.whole(output)
  }
  const exchange = provider.exchangeToken(received)
  ;(exchange ? provider.exchanges : provider.requests).push(received)
  return exchange ?? provider.respond(received)
}

function parseBody(text: string): Body {
  try {
    return JSON.parse(text) as Body
  } catch {
    return {}
  }
}
