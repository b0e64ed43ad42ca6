import { vi } from 'vitest'

export interface SeenRequest {
  method: string
  path: string
  query: Record<string, string>
  headers: Headers
  body: unknown
}

type FakeResponse = { status?: number; headers?: Record<string, string>; json?: unknown; text?: string } | 'no-answer'
type Handler = (request: SeenRequest) => FakeResponse | Promise<FakeResponse>

/** Routes of all fake servers of this worker. */
const knownRoutes = new Set<string>()

/** Replaces `fetch`: responds by method and path, and records the requests. */
export function fakeServer(routes: Record<string, FakeResponse | Handler>) {
  const seen: SeenRequest[] = []
  const earlierRoutes = new Set(knownRoutes)
  for (const name of Object.keys(routes)) knownRoutes.add(name)
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
    // Code of an earlier test may still poll. Its requests are not recorded.
    if (route !== undefined || !earlierRoutes.has(name)) seen.push(request)
    if (route === undefined) throw new Error(`The fake server has no ${request.method} ${request.path}.`)
    const response = typeof route === 'function' ? await rejectOnAbort(route(request), init.signal) : route
    if (response === 'no-answer') throw new TypeError('Failed to fetch')
    const body = response.text ?? JSON.stringify(response.json)
    return new Response(body, {
      status: response.status ?? 200,
      ...(response.headers && { headers: response.headers }),
    })
  })
  return { seen }
}

/** Rejects if the request is aborted before the response. */
function rejectOnAbort(
  response: FakeResponse | Promise<FakeResponse>,
  signal?: AbortSignal | null,
): Promise<FakeResponse> {
  return new Promise((resolve, reject) => {
    void Promise.resolve(response).then(resolve, reject)
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

export const succeeded = (data?: unknown, headers?: Record<string, string>): FakeResponse => ({
  json: { success: true, message: '', data },
  ...(headers && { headers }),
})

export const refused = (code: string, message: string, status = 200, data?: unknown): FakeResponse => ({
  status,
  json: { success: false, code, message, data },
})
