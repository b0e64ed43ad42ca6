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

export interface RealtimeProvider {
  readonly url: string
  /** The handshakes so far. */
  readonly handshakes: IncomingMessage[]
  /** The messages of clients so far. */
  readonly messages: string[]
  /** Reported with every `response.done`; undefined reports none. */
  usage: object | undefined
  /** Begins responses and ends them only when they are cancelled. */
  holdsResponses: boolean
  rejectsUpdates: boolean
  /** Reported instead, by the messages that the session received so far. */
  usageOf?: (messages: readonly string[]) => object
  close(): void
}

/** A realtime provider that responds to each `response.create` with a second of audio and its usage. */
export async function startRealtimeProvider(): Promise<RealtimeProvider> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new WebSocketServer({ server })
  const provider: RealtimeProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handshakes: [],
    messages: [],
    usage: REALTIME_USAGE,
    holdsResponses: false,
    rejectsUpdates: false,
    close() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      server.close()
    },
  }
  sockets.on('connection', (socket, request) => {
    provider.handshakes.push(request)
    const send = (event: object) => socket.send(JSON.stringify(event))
    const received: string[] = []
    let responses = 0
    let running: object | undefined
    const finish = (response: object) => {
      running = undefined
      const usage = provider.usageOf?.(received) ?? provider.usage
      send({ type: 'response.done', response: { ...response, usage } })
    }
    send({ type: 'session.created', session: { input_audio_format: 'pcm16' } })
    socket.on('message', (data: Buffer) => {
      provider.messages.push(data.toString())
      received.push(data.toString())
      const event = JSON.parse(data.toString()) as {
        type: string
        reason?: string
        event?: object
        session?: object
      }
      if (event.type === 'hang-up') socket.close(4001, event.reason ?? 'enough')
      if (event.type === 'repeat' && event.event) send(event.event)
      if (event.type === 'session.update') {
        send(
          provider.rejectsUpdates
            ? { type: 'error', error: { type: 'invalid_request_error', message: 'no' } }
            : { type: 'session.updated', session: event.session },
        )
      }
      if (event.type === 'response.cancel' && running) finish(running)
      if (event.type !== 'response.create') return
      responses += 1
      const response = { id: `resp_${responses}`, conversation_id: 'conv_1' }
      send({ type: 'response.created', response })
      send({ type: 'response.audio.delta', delta: Buffer.alloc(48_000).toString('base64') })
      if (provider.holdsResponses) running = response
      else finish(response)
    })
  })
  return provider
}
