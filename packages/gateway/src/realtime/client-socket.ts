import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError } from '@tidegate/contract'
import { WebSocketServer, type WebSocket } from 'ws'

const LARGEST_MESSAGE_BYTES = 16 * 1024 * 1024

const server = new WebSocketServer({
  noServer: true,
  maxPayload: LARGEST_MESSAGE_BYTES,
  perMessageDeflate: false, // sound does not get smaller
  handleProtocols: (protocols) => (protocols.has('realtime') ? 'realtime' : false),
})

/** Agrees to speak both ways with a client. Refuses one that is gone, or does not know how to ask. */
export function acceptClient(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new ApiError('invalid_text_request', { reason: 'the websocket was not agreed on' }))
    // The library answers a bad question itself, and then says nothing more.
    socket.once('close', fail)
    if (socket.destroyed) fail()
    else server.handleUpgrade(request, socket, head, resolve)
  })
}

/** A key that a browser sends, which cannot set headers: `openai-insecure-api-key.sk-…` among the protocols. */
export function keyInProtocols(header: string | undefined): string | undefined {
  const protocols = (header ?? '').split(',').map((protocol) => protocol.trim())
  return protocols.find((protocol) => protocol.startsWith(KEY_PROTOCOL))?.slice(KEY_PROTOCOL.length)
}

const KEY_PROTOCOL = 'openai-insecure-api-key.'
