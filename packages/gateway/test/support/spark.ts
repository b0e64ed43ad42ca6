import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'

/** What the provider does after a request. */
type SparkHandler = (send: (message: object) => void, socket: WebSocket) => void

/** A fake of iFlytek's WebSocket server. */
export interface FakeSpark {
  readonly url: string
  readonly requests: { readonly url: URL; readonly message: Record<string, unknown> }[]
  /** Close codes of connections, by either side. */
  readonly closed: number[]
  respondWith(handler: SparkHandler): void
  close(): void
}

export async function fakeSpark(): Promise<FakeSpark> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new WebSocketServer({ server })
  const requests: FakeSpark['requests'] = []
  const closed: number[] = []
  let next: SparkHandler = (send) => sendText(send, ['The tide ', 'turns at noon.'])
  sockets.on('connection', (socket, request) => {
    socket.on('close', (code) => closed.push(code))
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Record<string, unknown>
      requests.push({ url: new URL(request.url ?? '', 'http://spark'), message })
      next((output) => socket.send(JSON.stringify(output)), socket)
    })
  })
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    closed,
    respondWith(handler) {
      next = handler
    },
    close() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      server.close()
    },
  }
}

/** One message of a response; the last one has the usage. */
export function sparkChunk(content: string, { seq = 0, isLast = false } = {}): object {
  const status = isLast ? 2 : seq === 0 ? 0 : 1
  const counts = { question_tokens: 4, prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }
  return {
    header: { code: 0, message: 'Success', sid: 'cht000cb087', status },
    payload: {
      choices: { status, seq, text: [{ content, role: 'assistant', index: 0 }] },
      ...(isLast && { usage: { text: counts } }),
    },
  }
}

/** A whole response. */
export function sendText(send: (message: object) => void, texts: readonly string[]): void {
  for (const [seq, text] of texts.entries()) send(sparkChunk(text, { seq, isLast: seq === texts.length - 1 }))
}

export function sparkError(code: number, message: string): object {
  return { header: { code, message, sid: 'cht000cb087', status: 2 } }
}
