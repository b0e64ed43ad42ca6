import { createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Adapter, AdapterPayload, default as Provider, KoaContextWithOIDC } from 'oidc-provider'

export interface OidcProviderOptions {
  clientId: string
  clientSecret: string
  /** Allowed redirect URIs. By default any with the path `/oauth/oidc`. */
  redirectUris?: readonly string[]
  /** Client authentication method. */
  clientAuth?: 'client_secret_basic' | 'client_secret_post'
}

/** Changes of ID tokens: replaced claims, and the key that signs them. */
export interface IdTokenChange {
  claims?: Record<string, unknown>
  signedBy?: 'provider' | 'another-issuer'
}

export interface OidcProvider {
  readonly issuer: string
  readonly wellKnown: string
  readonly endpoints: { authorization: string; token: string; userInfo: string }
  /** Claims of the user with this login, over the defaults. */
  setClaims(login: string, claims: Record<string, unknown>): void
  alterIdTokens(change: IdTokenChange | undefined): void
  /** Fails all requests until changed. */
  breakDown(broken: boolean): void
  /** On by default; off for callers that build the URL themselves. */
  requirePkce(required: boolean): void
  /** Number of requests for a path. */
  countOf(path: string): number
  /** Signs a user in on the login page and returns the parameters of the callback. */
  signIn(authorizeUrl: string, login: string): Promise<Record<string, string>>
  /** The same for a user who cancels. */
  cancel(authorizeUrl: string): Promise<Record<string, string>>
  close(): Promise<void>
}

/** A real OpenID provider on its own port. It requires PKCE and accepts any login. */
export async function startOidcProvider(options: OidcProviderOptions): Promise<OidcProvider> {
  const claimsByLogin = new Map<string, Record<string, unknown>>()
  const requestedPaths: string[] = []
  const keys = { provider: newSigningKey('harbour'), 'another-issuer': newSigningKey('harbour') }
  let change: IdTokenChange | undefined
  let broken = false
  let pkceRequired = true
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {}

  const server = createServer((request, response) => {
    requestedPaths.push((request.url ?? '').split('?')[0]!)
    if (broken) response.writeHead(503).end('down')
    else handle(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const provider = await createProvider(
    issuer,
    options,
    keys.provider.jwk,
    (login) => ({
      preferred_username: login,
      name: `${login} of Harbour`,
      email: `${login}@harbour.example`,
      email_verified: true,
      ...claimsByLogin.get(login),
    }),
    () => pkceRequired,
  )
  provider.use(async (context: KoaContextWithOIDC, next) => {
    await next()
    const body = context.body as { id_token?: string } | undefined
    if (context.path !== '/token' || !change || typeof body?.id_token !== 'string') return
    const claims = { ...claimsOf(body.id_token), ...change.claims }
    context.body = { ...body, id_token: keys[change.signedBy ?? 'provider'].sign(claims) }
  })
  const callback = provider.callback()
  handle = (request, response) => {
    void serveInteraction(provider, request, response).then(async (served) => {
      if (!served) await callback(request, response)
    })
  }

  return {
    issuer,
    wellKnown: `${issuer}/.well-known/openid-configuration`,
    endpoints: { authorization: `${issuer}/auth`, token: `${issuer}/token`, userInfo: `${issuer}/me` },
    setClaims: (login, claims) => void claimsByLogin.set(login, claims),
    alterIdTokens(next) {
      change = next
    },
    requirePkce(required) {
      pkceRequired = required
    },
    breakDown(now) {
      broken = now
    },
    countOf: (path) => requestedPaths.filter((candidate) => candidate === path).length,
    signIn: (authorizeUrl, login) => passLoginPage(authorizeUrl, login),
    cancel: (authorizeUrl) => passLoginPage(authorizeUrl, undefined),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function createProvider(
  issuer: string,
  { clientId, clientSecret, redirectUris, clientAuth = 'client_secret_basic' }: OidcProviderOptions,
  key: object,
  claimsFor: (login: string) => Record<string, unknown>,
  requiresPkce: () => boolean,
): Promise<Provider> {
  // Loaded lazily: few tests need it.
  const { default: OidcServer } = await import('oidc-provider')
  const provider: Provider = new OidcServer(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...(redirectUris ?? ['https://gate.example/oauth/oidc'])],
        token_endpoint_auth_method: clientAuth,
      },
    ],
    adapter: memoryStore(),
    clientAuthMethods: [clientAuth],
    jwks: { keys: [key] },
    cookies: { keys: ['harbour'] },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email', 'email_verified'] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 },
    pkce: { required: requiresPkce },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, login) => ({ accountId: login, claims: () => ({ sub: login, ...claimsFor(login) }) }),
    // No consent page: the login page is the only page.
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  if (redirectUris === undefined) {
    provider.Client.prototype.redirectUriAllowed = (address: string) => new URL(address).pathname === '/oauth/oidc'
  }
  return provider
}

/**
 * Serves the provider's login page, which accepts any name, and a cancel link. Returns whether it handled the request.
 */
async function serveInteraction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const [, uid, action = 'page'] = /^\/interaction\/([\w-]+)(?:\/(login|cancel))?$/.exec(request.url ?? '') ?? []
  if (uid === undefined) return false
  if (action === 'login') {
    const login = new URLSearchParams(await text(request)).get('login') ?? ''
    await provider.interactionFinished(request, response, { login: { accountId: login } })
  } else if (action === 'cancel') {
    const denial = { error: 'access_denied', error_description: 'The person said no' }
    await provider.interactionFinished(request, response, denial)
  } else {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(loginPage(uid))
  }
  return true
}

function loginPage(uid: string): string {
  return `<!doctype html><html lang="en"><title>Harbour identity</title><h1>Harbour identity</h1>
<form method="post" action="/interaction/${uid}/login">
  <label>Login <input name="login" required autofocus></label>
  <button type="submit">Sign in</button>
</form>
<p><a href="/interaction/${uid}/cancel">Cancel</a></p>`
}

/** Submits the login page and returns the parameters of the callback. */
async function passLoginPage(authorizeUrl: string, login: string | undefined): Promise<Record<string, string>> {
  const cookies = new Map<string, string>()
  const follow = async (url: string, init: RequestInit = {}) => {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]!.split('=')
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`the provider returned ${response.status}: ${await response.text()}`)
    return new URL(location, url)
  }

  let next = await follow(authorizeUrl)
  if (next.pathname.startsWith('/interaction/')) {
    const form = login === undefined ? undefined : new URLSearchParams({ login })
    next = await (form ? follow(`${next.href}/login`, { method: 'POST', body: form }) : follow(`${next.href}/cancel`))
    next = await follow(next.href)
  }
  return Object.fromEntries(next.searchParams)
}

interface SigningKey {
  readonly kid: string
  readonly jwk: JsonWebKey
  readonly publicJwk: JsonWebKey
  sign(claims: object): string
}

/** Creates an RSA key that signs ID tokens. */
function newSigningKey(kid: string): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const facts = { kid, alg: 'RS256', use: 'sig' }
  return {
    kid,
    jwk: { ...privateKey.export({ format: 'jwk' }), ...facts },
    publicJwk: { ...createPublicKey(privateKey).export({ format: 'jwk' }), ...facts },
    sign: (claims) => signToken(privateKey, kid, claims),
  }
}

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>
}

function signToken(key: KeyObject, kid: string, claims: object): string {
  const head = `${encode({ alg: 'RS256', typ: 'JWT', kid })}.${encode(claims)}`
  return `${head}.${sign('RSA-SHA256', Buffer.from(head), key).toString('base64url')}`
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** In-memory storage of the provider. */
function memoryStore(): (name: string) => Adapter {
  const rows = new Map<string, AdapterPayload>()

  return (name) => {
    const mine = () => [...rows].filter(([key]) => key.startsWith(`${name}:`)).map(([, row]) => row)
    return {
      upsert: async (id, payload) => void rows.set(`${name}:${id}`, payload),
      find: async (id) => rows.get(`${name}:${id}`),
      findByUid: async (uid) => mine().find((row) => row.uid === uid),
      findByUserCode: async (userCode) => mine().find((row) => row.userCode === userCode),
      async consume(id) {
        const row = rows.get(`${name}:${id}`)
        if (row) row['consumed'] = Math.floor(Date.now() / 1000)
      },
      destroy: async (id) => void rows.delete(`${name}:${id}`),
      async revokeByGrantId(grantId) {
        for (const [key, row] of rows) if (row.grantId === grantId) rows.delete(key)
      },
    }
  }
}
