import { createHash, randomBytes } from 'node:crypto'
import type { api, Settings } from '@tidegate/contract'
import { serverAddress } from '../../settings/server-address.ts'
import type { Profile } from './profile.ts'

/** What we keep to ourselves of a round trip until the browser is back. */
export interface TripSecrets {
  /** PKCE: shows that whoever spends the code is who asked for it. */
  readonly verifier: string
  /** Ties an ID token to this round trip. */
  readonly nonce: string
}

/** A round trip of a browser to a service and back. */
export interface Trip {
  readonly state: string
  readonly redirectUri: string
  readonly secrets: TripSecrets
}

/** What a service sends back with the browser. */
export interface ServiceReturn {
  readonly code: string
  readonly iss?: string | undefined
}

/** A service that people are sent to, and that sends them back with a code. */
export interface RedirectService {
  /** Where to send the browser. */
  authorizeUrl(trip: Trip): Promise<string>
  /** Spends the code. There are no secrets when the caller built the address by itself. */
  readProfile(given: ServiceReturn, trip: Omit<Trip, 'secrets'> & { secrets?: TripSecrets }): Promise<Profile>
}

export function newTripSecrets(): TripSecrets {
  return { verifier: randomBytes(32).toString('base64url'), nonce: randomBytes(16).toString('base64url') }
}

/** The same address when people are sent away and when the code is spent, and always our own. */
export function redirectUriOf(settings: Settings, service: api.RedirectService): string {
  return `${serverAddress(settings)}/oauth/${service}`
}

export function pkceChallenge(verifier: string): { code_challenge: string; code_challenge_method: string } {
  return {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
}
