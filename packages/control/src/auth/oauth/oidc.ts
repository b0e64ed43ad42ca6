import { decodeJwt, errors, type JWTPayload } from 'jose'
import * as client from 'openid-client'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { fetchJson, fetchFromProvider, ProviderError } from './provider-client.ts'
import { pkceChallenge, type Profile, createProfile, type OAuthProvider, type OAuthSecrets } from './provider.ts'

/** OpenID Connect: with a discovery address, tokens are verified with the provider's keys. */
export function oidc(deps: Pick<Deps, 'catalog' | 'now'>): OAuthProvider {
  const discovered = oidcByDiscovery(deps)
  const byEndpoints = oidcByEndpoints(deps)
  const currentProvider = () => (deps.catalog().settings['oidc.well_known'] === '' ? byEndpoints : discovered)
  return {
    authorizeUrl: (request) => currentProvider().authorizeUrl(request),
    readProfile: (response, request) => currentProvider().readProfile(response, request),
  }
}

const DISCOVERY_CACHE_MS = 10 * 60_000
const CLOCK_TOLERANCE_SECONDS = 30

/** OpenID Connect by discovery: verifies signature, issuer, audience, time and nonce of ID tokens. */
function oidcByDiscovery({ catalog, now }: Pick<Deps, 'catalog' | 'now'>): OAuthProvider {
  let known: { key: string; until: number; provider: Promise<client.Configuration> } | undefined

  /** Cached for ten minutes or until an option changes; failures are not cached. */
  function provider(): Promise<client.Configuration> {
    const { settings } = catalog()
    const [wellKnown, id, secret] = [
      settings['oidc.well_known'],
      settings['oidc.client_id'],
      settings['oidc.client_secret'],
    ]
    const key = JSON.stringify([wellKnown, id, secret])
    if (known?.key === key && now().getTime() < known.until) return known.provider
    const reading = discover(wellKnown, id, secret)
    const entry = { key, until: now().getTime() + DISCOVERY_CACHE_MS, provider: reading }
    known = entry
    reading.catch(() => {
      if (known === entry) known = undefined
    })
    return reading
  }

  return {
    authorizeUrl: ({ state, redirectUri, secrets }) =>
      wrapLibraryErrors(async () => {
        const { href } = client.buildAuthorizationUrl(await provider(), {
          redirect_uri: redirectUri,
          scope: OIDC_SCOPE,
          state,
          nonce: secrets.nonce,
          ...pkceChallenge(secrets.verifier),
        })
        return href
      }),

    readProfile: ({ code, iss }, { state, redirectUri, secrets }) =>
      wrapLibraryErrors(async () => {
        const configuration = await provider()
        const returned = new URL(redirectUri)
        returned.search = new URLSearchParams({ code, state, ...(iss && { iss }) }).toString()
        const tokens = await client.authorizationCodeGrant(configuration, returned, {
          expectedState: state,
          ...(secrets && { expectedNonce: secrets.nonce, pkceCodeVerifier: secrets.verifier }),
          idTokenExpected: true,
        })
        const claims = tokens.claims()!
        const { userinfo_endpoint } = configuration.serverMetadata()
        const more = userinfo_endpoint && (await client.fetchUserInfo(configuration, tokens.access_token, claims.sub))
        return oidcProfile(claims.iss, { ...claims, ...more })
      }),
  }
}

async function discover(wellKnown: string, id: string, secret: string): Promise<client.Configuration> {
  const discovered = await client.discovery(new URL(wellKnown), id, undefined, undefined, OPTIONS)
  const methods = discovered.serverMetadata().token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authenticate = methods.includes('client_secret_post') ? client.ClientSecretPost : client.ClientSecretBasic
  const configuration = new client.Configuration(
    discovered.serverMetadata(),
    id,
    { client_secret: secret, [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    authenticate(secret),
  )
  configuration[client.customFetch] = providerFetch
  for (const enable of OPTIONS.execute) enable(configuration)
  return configuration
}

/** Our time, size and https rules are stricter than those of the library, so its own http check is turned off. */
const providerFetch: client.CustomFetch = (url, { headers, method, body }) =>
  fetchFromProvider(url, { headers, method, body: body as RequestInit['body'] })

const OPTIONS = {
  [client.customFetch]: providerFetch,
  execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
}

const LIBRARY_ERRORS = [
  client.ClientError,
  client.ResponseBodyError,
  client.AuthorizationResponseError,
  client.WWWAuthenticateChallengeError,
]

/** Errors of the library are errors of the provider; a failed request is their cause. */
async function wrapLibraryErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const inner = error instanceof Error && error.cause instanceof ProviderError ? error.cause : error
    if (inner instanceof ProviderError) throw inner
    if (!LIBRARY_ERRORS.some((kind) => error instanceof kind)) throw error
    throw new ProviderError('bad-response', 'the provider response is not valid', { cause: error })
  }
}

const Tokens = z.object({ access_token: z.string().min(1), id_token: z.string().min(1) })
const UserInfo = z.looseObject({ sub: z.string().min(1) })

/**
 * OpenID Connect without a discovery address: there are no keys to verify a signature. The ID token comes from the
 * configured address over TLS, which OpenID Connect Core (3.1.3.7) accepts instead. Audience, time, nonce and the equal
 * subject of both responses are still checked.
 */
function oidcByEndpoints({ catalog, now }: Pick<Deps, 'catalog' | 'now'>): OAuthProvider {
  return {
    async authorizeUrl({ state, redirectUri, secrets }) {
      const { settings } = catalog()
      const url = new URL(settings['oidc.authorization_endpoint'])
      const parameters = {
        client_id: settings['oidc.client_id'],
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: OIDC_SCOPE,
        state,
        nonce: secrets.nonce,
        ...pkceChallenge(secrets.verifier),
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url.href
    },

    async readProfile({ code }, { redirectUri, secrets }) {
      const { settings } = catalog()
      const clientId = settings['oidc.client_id']
      const { access_token, id_token } = await fetchJson(Tokens, settings['oidc.token_endpoint'], {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          client_id: clientId,
          client_secret: settings['oidc.client_secret'],
          ...(secrets && { code_verifier: secrets.verifier }),
        }),
      })
      const claims = readClaims(id_token)
      checkClaims(claims, { clientId, secrets, now: now() })
      const headers = { Authorization: `Bearer ${access_token}` }
      const userInfo = await fetchJson(UserInfo, settings['oidc.user_info_endpoint'], { headers })
      if (userInfo.sub !== claims.sub)
        throw new ProviderError('bad-response', 'ID token and user info name different subjects')
      return oidcProfile(claims.iss!, userInfo)
    },
  }
}

function readClaims(idToken: string): JWTPayload {
  try {
    return decodeJwt(idToken)
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new ProviderError('bad-response', 'the ID token cannot be decoded')
    throw error
  }
}

interface ExpectedClaims {
  clientId: string
  /** Undefined when the caller built the address; the ID token then has no nonce of ours. */
  secrets: OAuthSecrets | undefined
  now: Date
}

function checkClaims(claims: JWTPayload, { clientId, secrets, now }: ExpectedClaims): void {
  const audience = [claims.aud ?? []].flat()
  const isForUs = audience.includes(clientId) && (audience.length === 1 || claims['azp'] === clientId)
  const isFresh = typeof claims.exp === 'number' && claims.exp + CLOCK_TOLERANCE_SECONDS > now.getTime() / 1000
  const isThisRequest = claims['nonce'] === secrets?.nonce
  const hasIssuer = typeof claims.iss === 'string' && claims.iss !== ''
  const wrong = Object.entries({ isForUs, isFresh, isThisRequest, hasIssuer }).find(([, holds]) => !holds)
  if (wrong) throw new ProviderError('bad-response', `the ID token is not valid: ${wrong[0]} is false`)
}

/** Claims used for an account; a claim of another type is ignored. */
const Claims = z.object({
  sub: z.string().min(1).max(255),
  preferred_username: z.string().catch(''),
  name: z.string().catch(''),
  email: z.string().catch(''),
  email_verified: z.boolean().catch(false),
})

const OIDC_SCOPE = 'openid profile email'

/** Builds the profile of a subject. Subjects are unique per issuer only. */
function oidcProfile(issuer: string, claims: unknown): Profile {
  const parsed = Claims.safeParse(claims)
  if (!parsed.success) throw new ProviderError('bad-response', 'the claims have no subject', { cause: parsed.error })
  const { sub, preferred_username, name, email, email_verified } = parsed.data
  return createProfile(
    { service: 'oidc', issuer, subject: sub },
    {
      label: preferred_username || email || sub,
      displayName: name || 'OIDC User',
      username: preferred_username,
      readEmail: async () => (email_verified && email !== '' ? email : undefined),
    },
  )
}
