import { decodeJwt, errors, type JWTPayload } from 'jose'
import * as client from 'openid-client'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { askService, fetchFromService, ServiceFailure } from './provider-client.ts'
import { pkceChallenge, type Profile, profileOf, type RedirectService, type TripSecrets } from './provider.ts'

/** OpenID Connect: with a discovery address everything is checked against the provider's keys, else what can be. */
export function oidc(deps: Pick<Deps, 'catalog' | 'now'>): RedirectService {
  const discovered = oidcByDiscovery(deps)
  const byEndpoints = oidcByEndpoints(deps)
  const current = () => (deps.catalog().settings['oidc.well_known'] === '' ? byEndpoints : discovered)
  return {
    authorizeUrl: (trip) => current().authorizeUrl(trip),
    readProfile: (given, trip) => current().readProfile(given, trip),
  }
}

const KEPT_MS = 10 * 60_000
const CLOCK_TOLERANCE_SECONDS = 30

/** OpenID Connect by the provider's own description: ID tokens are checked for signature, issuer, audience, time and nonce. */
function oidcByDiscovery({ catalog, now }: Pick<Deps, 'catalog' | 'now'>): RedirectService {
  let known: { key: string; until: number; provider: Promise<client.Configuration> } | undefined

  /** Read again when an option changed or ten minutes have passed; a failure is not kept. */
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
    const entry = { key, until: now().getTime() + KEPT_MS, provider: reading }
    known = entry
    reading.catch(() => {
      if (known === entry) known = undefined
    })
    return reading
  }

  return {
    authorizeUrl: ({ state, redirectUri, secrets }) =>
      blameProvider(async () => {
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
      blameProvider(async () => {
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
  configuration[client.customFetch] = serviceFetch
  for (const enable of OPTIONS.execute) enable(configuration)
  return configuration
}

/** Its time, size and https rules are stricter than the library's, which is therefore told to leave http to it. */
const serviceFetch: client.CustomFetch = (url, { headers, method, body }) =>
  fetchFromService(url, { headers, method, body: body as RequestInit['body'] })

const OPTIONS = {
  [client.customFetch]: serviceFetch,
  execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
}

const LIBRARY_ERRORS = [
  client.ClientError,
  client.ResponseBodyError,
  client.AuthorizationResponseError,
  client.WWWAuthenticateChallengeError,
]

/** What the library objects to is the provider's doing; a failure of the call itself is in there as the cause. */
async function blameProvider<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const inner = error instanceof Error && error.cause instanceof ServiceFailure ? error.cause : error
    if (inner instanceof ServiceFailure) throw inner
    if (!LIBRARY_ERRORS.some((kind) => error instanceof kind)) throw error
    throw new ServiceFailure('bad-answer', 'the provider was not believed', { cause: error })
  }
}

const Tokens = z.object({ access_token: z.string().min(1), id_token: z.string().min(1) })
const Person = z.looseObject({ sub: z.string().min(1) })

/**
 * OpenID Connect without a discovery address: there are no keys to check a signature with. The ID token comes straight
 * from the configured address over TLS, which OpenID Connect Core (3.1.3.7) takes in place of the signature; audience,
 * time and nonce are checked all the same, and that both answers are about one person.
 */
function oidcByEndpoints({ catalog, now }: Pick<Deps, 'catalog' | 'now'>): RedirectService {
  return {
    async authorizeUrl({ state, redirectUri, secrets }) {
      const { settings } = catalog()
      const url = new URL(settings['oidc.authorization_endpoint'])
      const wanted = {
        client_id: settings['oidc.client_id'],
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: OIDC_SCOPE,
        state,
        nonce: secrets.nonce,
        ...pkceChallenge(secrets.verifier),
      }
      for (const [name, value] of Object.entries(wanted)) url.searchParams.set(name, value)
      return url.href
    },

    async readProfile({ code }, { redirectUri, secrets }) {
      const { settings } = catalog()
      const clientId = settings['oidc.client_id']
      const { access_token, id_token } = await askService(Tokens, settings['oidc.token_endpoint'], {
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
      const person = await askService(Person, settings['oidc.user_info_endpoint'], { headers })
      if (person.sub !== claims.sub) throw new ServiceFailure('bad-answer', 'the two answers are about two people')
      return oidcProfile(claims.iss!, person)
    },
  }
}

function readClaims(idToken: string): JWTPayload {
  try {
    return decodeJwt(idToken)
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new ServiceFailure('bad-answer', 'the ID token is none')
    throw error
  }
}

interface Expected {
  clientId: string
  /** Absent when the caller built the address; then the ID token has no nonce of ours. */
  secrets: TripSecrets | undefined
  now: Date
}

function checkClaims(claims: JWTPayload, { clientId, secrets, now }: Expected): void {
  const audience = [claims.aud ?? []].flat()
  const isForUs = audience.includes(clientId) && (audience.length === 1 || claims['azp'] === clientId)
  const isFresh = typeof claims.exp === 'number' && claims.exp + CLOCK_TOLERANCE_SECONDS > now.getTime() / 1000
  const isThisTrip = claims['nonce'] === secrets?.nonce
  const hasIssuer = typeof claims.iss === 'string' && claims.iss !== ''
  const wrong = Object.entries({ isForUs, isFresh, isThisTrip, hasIssuer }).find(([, holds]) => !holds)
  if (wrong) throw new ServiceFailure('bad-answer', `the ID token was not believed: ${wrong[0]} does not hold`)
}

/** What an account can be made of; a claim of another type is as good as none. */
const Claims = z.object({
  sub: z.string().min(1).max(255),
  preferred_username: z.string().catch(''),
  name: z.string().catch(''),
  email: z.string().catch(''),
  email_verified: z.boolean().catch(false),
})

const OIDC_SCOPE = 'openid profile email'

/** The person of an issuer; the same subject of another issuer is somebody else. */
function oidcProfile(issuer: string, given: unknown): Profile {
  const parsed = Claims.safeParse(given)
  if (!parsed.success) throw new ServiceFailure('bad-answer', 'the claims name nobody', { cause: parsed.error })
  const { sub, preferred_username, name, email, email_verified } = parsed.data
  return profileOf(
    { service: 'oidc', issuer, subject: sub },
    {
      label: preferred_username || email || sub,
      displayName: name || 'OIDC User',
      username: preferred_username,
      readEmail: async () => (email_verified && email !== '' ? email : undefined),
    },
  )
}
