import { api, type BodyInput, type Endpoint, type Envelope, pathParameters, type ReplyOf } from '@tidegate/contract'

type QueryValues = Record<string, string | number | boolean>

interface CallInput<E extends Endpoint> {
  /** Values of path parameters. */
  path?: Record<string, string | number>
  query?: QueryValues
  body?: BodyInput<E>
  headers?: Record<string, string>
}

/** An error response, with its code for assertions. */
export class ApiCallError extends Error {
  override readonly name = 'ApiCallError'
  readonly status: number
  readonly code: string | undefined

  constructor(call: string, status: number, code: string | undefined, message: string) {
    super(`${call} was rejected: ${status} ${code} ${message}`)
    this.status = status
    this.code = code
  }
}

export interface ApiClient {
  readonly url: string
  /** The id sent as `Tidegate-User`; undefined until a login. */
  userId: number | undefined
  /** Calls an endpoint and returns the reply, checked against its schema. */
  call<E extends Endpoint>(endpoint: E, input?: CallInput<E>): Promise<ReplyOf<E>>
  /** The same without reading the response, for event streams. */
  open<E extends Endpoint>(endpoint: E, input?: CallInput<E>): Promise<Response>
  /** The same without throwing, for tests of errors. */
  send<E extends Endpoint>(endpoint: E, input?: CallInput<E>): Promise<{ response: Response; envelope: Envelope }>
  login(username: string, password: string): Promise<api.User>
}

/** An `/api` client like the console: keeps the session cookie and sends the user id. */
export function apiClient(url: string): ApiClient {
  const cookies = new Map<string, string>()

  const client: ApiClient = {
    url,
    userId: undefined,
    async open(endpoint, input = {}) {
      const response = await fetch(addressOf(url, endpoint, input), {
        method: endpoint.method,
        headers: {
          ...(input.body !== undefined && { 'content-type': 'application/json' }),
          ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
          ...(client.userId !== undefined && { 'tidegate-user': String(client.userId) }),
          ...input.headers,
        },
        body: input.body === undefined ? undefined : JSON.stringify(input.body),
        redirect: 'manual',
      })
      storeCookies(cookies, response)
      return response
    },
    async send(endpoint, input) {
      const response = await client.open(endpoint, input)
      return { response, envelope: await readEnvelope(response) }
    },
    async call(endpoint, input) {
      const { response, envelope } = await client.send(endpoint, input)
      if (endpoint.bare && isJson(response)) return endpoint.reply.parse(envelope) as ReplyOf<typeof endpoint>
      if (!envelope.success) {
        throw new ApiCallError(`${endpoint.method} ${endpoint.path}`, response.status, envelope.code, envelope.message)
      }
      return endpoint.reply.parse(envelope.data) as ReplyOf<typeof endpoint>
    },
    async login(username, password) {
      client.userId = undefined
      const user = await client.call(api.login, { body: { username, password } })
      client.userId = user.id
      return user
    },
  }
  return client
}

/** Returns a file as `data`, and the first chunk of an event stream. */
async function readEnvelope(response: Response): Promise<Envelope> {
  if (isJson(response)) return (await response.json()) as Envelope
  const goesOn = response.headers.get('content-type') === 'text/event-stream'
  return { success: true, message: '', data: goesOn ? await firstChunk(response) : await response.text() }
}

async function firstChunk(response: Response): Promise<string> {
  for await (const chunk of response.body!) return Buffer.from(chunk).toString()
  return ''
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('application/json') ?? false
}

function addressOf(url: string, endpoint: Endpoint, { path = {}, query = {} }: CallInput<Endpoint>): URL {
  const filled = pathParameters(endpoint.path).reduce(
    (text, name) => text.replace(`{${name}}`, encodeURIComponent(String(path[name]))),
    endpoint.path as string,
  )
  const address = new URL(filled, url)
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value))
  return address
}

function storeCookies(cookies: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = '', ...attributes] = line.split(';')
    const [name = '', ...value] = pair.split('=')
    const ended = attributes.some((attribute) => /^\s*(max-age=0|expires=Thu, 01 Jan 1970)/i.test(attribute))
    if (ended) cookies.delete(name.trim())
    else cookies.set(name.trim(), value.join('='))
  }
}
