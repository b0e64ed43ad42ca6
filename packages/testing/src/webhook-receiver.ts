import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { selfSigned } from './self-signed.ts'

export interface ReceivedWebhook {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The raw body as text. */
  body: string
  /** The raw body. */
  bytes: Buffer
}

export interface WebhookResponse {
  status?: number
  body?: string
  headers?: Record<string, string>
  /** Never responds. */
  hang?: boolean
}

export interface WebhookReceiver {
  /** `https://127.0.0.1:<port>`. */
  readonly url: string
  readonly port: number
  /** In PEM format, for processes that must trust it. */
  readonly certificate: string
  readonly received: readonly ReceivedWebhook[]
  /** Sets the response. */
  respond(response: WebhookResponse): void
  close(): Promise<void>
}

/** An https server that records webhooks. This process trusts its certificate. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const { key, certificate } = selfSigned()
  const received: ReceivedWebhook[] = []
  let reply: WebhookResponse = {}
  const server = createServer({ key, cert: certificate }, (request, response) => {
    void buffer(request).then((bytes) => {
      const { method = '', url: path = '', headers } = request
      received.push({ method, path, headers, body: bytes.toString('utf8'), bytes })
      if (!reply.hang) response.writeHead(reply.status ?? 200, reply.headers).end(reply.body ?? '')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  setDefaultCACertificates([...getCACertificates('default'), certificate])
  const { port } = server.address() as AddressInfo

  return {
    url: `https://127.0.0.1:${port}`,
    port,
    certificate,
    received,
    respond: (next) => void (reply = next),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
