import * as client from 'openid-client'
import type { Deps } from '../../deps.ts'
import { fetchFromService, ServiceFailure } from './provider-client.ts'
import { OIDC_SCOPE, oidcProfile } from './oidc-claims.ts'
import { pkceChallenge, type RedirectService } from './provider.ts'

const KEPT_MS = 10 * 60_000
const CLOCK_TOLERANCE_SECONDS = 30

/** OpenID Connect by the provider's own description: ID tokens are checked for signature, issuer, audience, time and nonce. */
export function oidcByDiscovery({ catalog, now }: Pick<Deps, 'catalog' | 'now'>): RedirectService {
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
