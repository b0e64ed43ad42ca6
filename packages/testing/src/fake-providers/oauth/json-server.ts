import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request received by a fake service. */
export interface ServiceRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface ServiceResponse {
  status?: number
  headers?: Record<string, string>
  json?: unknown
}

/**
 * How a service fails: an error response, a dropped connection, invalid JSON, unexpected JSON, a redirect, an endless
 * response.
 */
export type ProviderFault = 'down' | 'dropped' | 'garbage' | 'wrong-shape' | 'redirect' | 'endless'

export interface FakeService {
  readonly url: string
  /** Requests received so far. */
  readonly calls: readonly ServiceRequest[]
  /** Number of requests for a path. */
  countOf(path: string): number
  /** Fails on every path, or on paths with this suffix, until changed. */
  fail(fault: ProviderFault | undefined, onPath?: string): void
  close(): Promise<void>
}

/** A JSON service on its own port that can be made to fail. */
export async function startJsonServer(handle: (call: ServiceRequest) => ServiceResponse): Promise<FakeService> {
  const calls: ServiceRequest[] = []
  let failing: { fault: ProviderFault; onPath: string } | undefined

  const server = createServer((request, response) => {
    void readCall(request).then((call) => {
      calls.push(call)
      if (failing && call.path.endsWith(failing.onPath)) return failAs(failing.fault, response)
      const { status = 200, headers = {}, json } = handle(call)
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      return response.end(json === undefined ? '' : JSON.stringify(json))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    countOf: (path) => calls.filter((call) => call.path === path).length,
    fail(fault, onPath = '') {
      failing = fault && { fault, onPath }
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function readCall(request: IncomingMessage): Promise<ServiceRequest> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake')
  return {
    method: request.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: request.headers,
    body: await text(request),
  }
}

function failAs(fault: ProviderFault, response: ServerResponse): void {
  const json = { 'content-type': 'application/json' }
  if (fault === 'down') response.writeHead(503, json).end('{"message":"down"}')
  else if (fault === 'dropped') response.destroy()
  else if (fault === 'garbage') response.writeHead(200, json).end('<html>')
  else if (fault === 'wrong-shape') response.writeHead(200, json).end('{"unexpected":true}')
  else if (fault === 'redirect') response.writeHead(302, { location: 'http://127.0.0.1:9/elsewhere' }).end()
  else sendEndlessly(response.writeHead(200, json))
}

function sendEndlessly(response: ServerResponse): void {
  const piece = ' '.repeat(64 * 1024)
  const pour = () => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', pour)
  response.on('error', () => {})
  pour()
}

interface IssuedCode<Account> {
  account: Account
  redirectUri: string
  challenge: string | undefined
}

/** Authorization endpoint without pages: the user has already accepted or cancelled. */
export function authorizations<Account>(clientId: string) {
  const codes = new Map<string, IssuedCode<Account>>()
  const tokens = new Map<string, Account>()
  let isCancelling = false

  return {
    /** Makes users cancel from now on. */
    declineLogins(now: boolean) {
      isCancelling = now
    },

    /** Redirects back with a code that is valid once. */
    authorize({ query }: ServiceRequest, account: Account): ServiceResponse {
      const { client_id, redirect_uri = '', state = '', code_challenge: challenge, code_challenge_method } = query
      const pkceIsRight = challenge === undefined || code_challenge_method === 'S256'
      if (client_id !== clientId || redirect_uri === '' || !pkceIsRight) {
        return { status: 400, json: { error: 'invalid_request' } }
      }
      const back = new URL(redirect_uri)
      back.searchParams.set('state', state)
      if (isCancelling) {
        back.searchParams.set('error', 'access_denied')
        back.searchParams.set('error_description', 'The person said no')
      } else {
        const code = randomBytes(10).toString('hex')
        codes.set(code, { account, redirectUri: redirect_uri, challenge })
        back.searchParams.set('code', code)
      }
      return { status: 302, headers: { location: back.href } }
    },

    /** Exchanges a code for an access token; undefined if the request is wrong. */
    exchange(form: { code?: string; redirect_uri?: string; code_verifier?: string }): string | undefined {
      const issued = codes.get(form.code ?? '')
      codes.delete(form.code ?? '')
      if (!issued || issued.redirectUri !== form.redirect_uri) return undefined
      if (issued.challenge !== undefined && issued.challenge !== challengeOf(form.code_verifier ?? '')) return undefined
      const token = randomBytes(16).toString('hex')
      tokens.set(token, issued.account)
      return token
    },

    bearerOf({ headers }: ServiceRequest): Account | undefined {
      return tokens.get(/^Bearer (\w+)$/.exec(headers.authorization ?? '')?.[1] ?? '')
    },
  }
}

/** Follows the redirect of an authorization URL and returns the parameters of the callback. */
export async function followAuthorization(authorizeUrl: string): Promise<Record<string, string>> {
  const response = await fetch(authorizeUrl, { redirect: 'manual' })
  const location = response.headers.get('location')
  if (location === null) throw new Error(`the service returned ${response.status}: ${await response.text()}`)
  return Object.fromEntries(new URL(location).searchParams)
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
