import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request that the server sends through its worker. */
export interface WorkerRequest {
  url: string
  key: string
  method: string
  headers: Record<string, string>
  body: Record<string, unknown>
}

export interface FakeWorker {
  readonly url: string
  readonly requests: readonly WorkerRequest[]
  /** Sets the response of the worker, as if the target had sent it. */
  response(status: number, body: string): void
  /** From now on it closes connections without a response. */
  abort(): void
  close(): Promise<void>
}

/** Replaces an operator's worker: webhooks arrive here, and nothing leaves the machine. */
export async function startFakeWorker(): Promise<FakeWorker> {
  const requests: WorkerRequest[] = []
  let next: { status: number; body: string } | null = { status: 200, body: '' }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push(JSON.parse(body) as WorkerRequest)
      if (!next) return request.socket.destroy()
      return response.writeHead(next.status, { 'content-type': 'text/plain' }).end(next.body)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    response(status, body) {
      next = { status, body }
    },
    abort() {
      next = null
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
