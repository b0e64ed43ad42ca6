import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

export const REALTIME_USAGE = {
  input_tokens: 30,
  output_tokens: 50,
  input_token_details: {
    text_tokens: 10,
    audio_tokens: 20,
    cached_tokens: 4,
    cached_tokens_details: { text_tokens: 4 },
  },
  output_token_details: { text_tokens: 20, audio_tokens: 30 },
}

export interface RealtimeVendor {
  readonly url: string
  /** The handshakes so far. */
  readonly asked: IncomingMessage[]
  /** The messages of clients so far. */
  readonly heard: string[]
  /** Reported with every `response.done`; undefined reports none. */
  usage: object | undefined
  close(): void
}

/** A realtime provider that answers each `response.create` with a second of audio and its usage. */
export async function startRealtimeVendor(): Promise<RealtimeVendor> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new WebSocketServer({ server })
  const vendor: RealtimeVendor = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    heard: [],
    usage: REALTIME_USAGE,
    close() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      server.close()
    },
  }
  sockets.on('connection', (socket, request) => {
    vendor.asked.push(request)
    const send = (event: object) => socket.send(JSON.stringify(event))
    send({ type: 'session.created', session: { input_audio_format: 'pcm16' } })
    socket.on('message', (data: Buffer) => {
      vendor.heard.push(data.toString())
      const event = JSON.parse(data.toString()) as { type: string }
      if (event.type === 'hang-up') socket.close(4001, 'enough')
      if (event.type !== 'response.create') return
      send({ type: 'response.audio.delta', delta: Buffer.alloc(48_000).toString('base64') })
      send({ type: 'response.done', response: { usage: vendor.usage } })
    })
  })
  return vendor
}
