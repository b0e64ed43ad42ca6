import { decodeJwt, errors, type JWTPayload } from 'jose'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { askService, ServiceFailure } from './provider-client.ts'
import { OIDC_SCOPE, oidcProfile } from './oidc-claims.ts'
import { pkceChallenge, type RedirectService, type TripSecrets } from './provider.ts'

const CLOCK_TOLERANCE_SECONDS = 30

const Tokens = z.object({ access_token: z.string().min(1), id_token: z.string().min(1) })
const Person = z.looseObject({ sub: z.string().min(1) })

/**
 * OpenID Connect without a discovery address: there are no keys to check a signature with. The ID token comes straight
 * from the configured address over TLS, which OpenID Connect Core (3.1.3.7) takes in place of the signature; audience,
 * time and nonce are checked all the same, and that both answers are about one person.
 */
export function oidcByEndpoints({ catalog, now }: Pick<Deps, 'catalog' | 'now'>): RedirectService {
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
