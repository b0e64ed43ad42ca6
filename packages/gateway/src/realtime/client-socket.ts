import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError } from '@tidegate/contract'
import { WebSocketServer, type WebSocket } from 'ws'

const LARGEST_MESSAGE_BYTES = 16 * 1024 * 1024

const server = new WebSocketServer({
  noServer: true,
  maxPayload: LARGEST_MESSAGE_BYTES,
  perMessageDeflate: false, // audio does not compress
  handleProtocols: (protocols) => (protocols.has('realtime') ? 'realtime' : false),
})

/** Completes the WebSocket handshake. Rejects when the client has disconnected, or when its handshake is invalid. */
export function acceptClient(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new ApiError('invalid_text_request', { reason: 'the websocket was not agreed on' }))
    // The library responds to an invalid handshake by itself, and closes the socket.
    socket.once('close', fail)
    if (socket.destroyed) fail()
    else server.handleUpgrade(request, socket, head, resolve)
  })
}

/** The API token of a browser, which cannot set headers: `openai-insecure-api-key.sk-…` among the protocols. */
export function keyInProtocols(header: string | undefined): string | undefined {
  const protocols = (header ?? '').split(',').map((protocol) => protocol.trim())
  return protocols.find((protocol) => protocol.startsWith(KEY_PROTOCOL))?.slice(KEY_PROTOCOL.length)
}

const KEY_PROTOCOL = 'openai-insecure-api-key.'
