import { type IncomingHttpHeaders, request } from 'node:http'

export interface HttpRequest {
  method?: string
  path: string
  headers?: Readonly<Record<string, string>>
  /** Sent unchanged; an object is sent as JSON. */
  body?: string | Buffer | object | undefined
  /** The client address that the request claims. Default: an address that was never used. */
  from?: string
}

export interface HttpResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly milliseconds: number
  /** The code of an API error; empty if there is none. */
  readonly code: string
}

const TIMEOUT_MS = 30_000

/**
 * Sends one request exactly as given. The servers of this suite trust `X-Forwarded-For`, so only requests that claim
 * the same address share its budget.
 */
export function sendRequest(
  url: string,
  { method = 'GET', path, headers = {}, body, from = newAddress() }: HttpRequest,
) {
  const bytes = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const started = performance.now()
  return new Promise<HttpResponse>((resolve, reject) => {
    const { hostname, port } = new URL(url)
    let hasResponse = false
    const sent = request(
      {
        hostname,
        port,
        method,
        path,
        agent: false, // a separate connection, so that one request cannot close that of another
        headers: {
          'x-forwarded-for': from,
          ...(bytes !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(bytes),
          }),
          ...headers,
        },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
      (response) => {
        hasResponse = true
        let text = ''
        const finish = () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            milliseconds: performance.now() - started,
            code: codeIn(text),
          })
        response.setEncoding('utf8')
        response.on('data', (piece: string) => {
          text += piece
          // The event stream of the console never ends: the first event is enough.
          if (path.startsWith('/api/') && response.headers['content-type'] === 'text/event-stream') response.destroy()
        })
        response.once('close', finish)
      },
    )
    // A server may close before it has read everything; its response counts.
    sent.on('error', (error) => (hasResponse ? undefined : reject(error)))
    sent.end(bytes)
  })
}

function codeIn(text: string): string {
  try {
    const response = JSON.parse(text) as { code?: unknown; error?: { code?: unknown } } | null
    const code = response?.code ?? response?.error?.code
    return typeof code === 'string' ? code : ''
  } catch {
    return ''
  }
}

let addresses = 0

export function newAddress(): string {
  addresses += 1
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}
