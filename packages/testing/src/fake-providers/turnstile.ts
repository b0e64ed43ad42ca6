import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface FakeTurnstile {
  readonly url: string
  /** Received forms. */
  readonly received: readonly Record<string, string>[]
  /** Issues a token that is valid once, with its verification result. */
  issue(facts?: { hostname?: string; action?: string }): string
  /** Fails all requests until changed. */
  breakDown(broken: boolean): void
  close(): Promise<void>
}

/** The verification endpoint of Turnstile. */
export async function startFakeTurnstile(secret: string): Promise<FakeTurnstile> {
  const good = new Map<string, { hostname: string; action: string }>()
  const received: Record<string, string>[] = []
  let broken = false
  let issued = 0

  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const form = Object.fromEntries(new URLSearchParams(body))
      received.push(form)
      if (broken) return response.writeHead(503).end('down')
      const facts = form['secret'] === secret ? good.get(form['response'] ?? '') : undefined
      good.delete(form['response'] ?? '')
      const result = facts ? { success: true, ...facts } : { success: false, 'error-codes': ['invalid-input-response'] }
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`,
    received,
    issue({ hostname = 'localhost', action = '' } = {}) {
      issued += 1
      const token = `good-${issued}`
      good.set(token, { hostname, action })
      return token
    },
    breakDown(now) {
      broken = now
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
