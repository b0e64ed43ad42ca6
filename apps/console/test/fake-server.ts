import { vi } from 'vitest'

export interface SeenRequest {
  method: string
  path: string
  query: Record<string, string>
  headers: Headers
  body: unknown
}

type Answer = { status?: number; headers?: Record<string, string>; json?: unknown; text?: string } | 'no-answer'
type Handler = (request: SeenRequest) => Answer | Promise<Answer>

/** Routes of all fake servers of this worker. */
const routed = new Set<string>()

/** Stands where the network would be: answers by method and path, and keeps what it was asked. */
export function fakeServer(routes: Record<string, Answer | Handler>) {
  const seen: SeenRequest[] = []
  const earlier = new Set(routed)
  for (const name of Object.keys(routes)) routed.add(name)
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://console.test')
    const request: SeenRequest = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    }
    const name = `${request.method} ${request.path}`
    const route = routes[name]
    // Code of an earlier test may still poll. Its requests are not those of this test.
    if (route !== undefined || !earlier.has(name)) seen.push(request)
    if (route === undefined) throw new Error(`The fake server has no ${request.method} ${request.path}.`)
    const answer = typeof route === 'function' ? await orHangUp(route(request), init.signal) : route
    if (answer === 'no-answer') throw new TypeError('Failed to fetch')
    const body = answer.text ?? JSON.stringify(answer.json)
    return new Response(body, { status: answer.status ?? 200, ...(answer.headers && { headers: answer.headers }) })
  })
  return { seen }
}

/** Whoever asked may leave before there is an answer. */
function orHangUp(answer: Answer | Promise<Answer>, signal?: AbortSignal | null): Promise<Answer> {
  return new Promise((resolve, reject) => {
    void Promise.resolve(answer).then(resolve, reject)
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

export const succeeded = (data?: unknown, headers?: Record<string, string>): Answer => ({
  json: { success: true, message: '', data },
  ...(headers && { headers }),
})

export const refused = (code: string, message: string, status = 200, data?: unknown): Answer => ({
  status,
  json: { success: false, code, message, data },
})
