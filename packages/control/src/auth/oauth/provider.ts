import { createHash, randomBytes } from 'node:crypto'
import { api, ApiError, openSignIns, type Phrase, type Settings } from '@tidegate/contract'
import { type IdentityKey, setup, type UserRow } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { serverAddress } from '../../settings/site-status.ts'

/** What we keep to ourselves of a round trip until the browser is back. */
export interface OAuthSecrets {
  /** PKCE: shows that whoever spends the code is who asked for it. */
  readonly verifier: string
  /** Ties an ID token to this round trip. */
  readonly nonce: string
}

/** A round trip of a browser to a service and back. */
interface AuthorizationRequest {
  readonly state: string
  readonly redirectUri: string
  readonly secrets: OAuthSecrets
}

/** What a service sends back with the browser. */
export interface AuthorizationResponse {
  readonly code: string
  readonly iss?: string | undefined
}

/** A service that people are sent to, and that sends them back with a code. */
export interface OAuthProvider {
  /** Where to send the browser. */
  authorizeUrl(request: AuthorizationRequest): Promise<string>
  /** Spends the code. There are no secrets when the caller built the address by itself. */
  readProfile(
    response: AuthorizationResponse,
    request: Omit<AuthorizationRequest, 'secrets'> & { secrets?: OAuthSecrets },
  ): Promise<Profile>
}

export type OAuthProviders = Readonly<Record<api.RedirectService, OAuthProvider>>

export function newOAuthSecrets(): OAuthSecrets {
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

/** Who a service says somebody is. */
export interface Profile {
  readonly service: api.SignInServiceName
  readonly key: IdentityKey
  /** A binding of the same person by something that others can take over, such as a name. */
  readonly legacy?: LegacyIdentity
  /** What the person goes by there, to recognise the binding by. */
  readonly label: string
  readonly displayName: string
  /** What the person would like to be called here. */
  readonly username?: string
  /** An address the service has verified; asked for only when an account is made. */
  readEmail?(): Promise<string | undefined>
}

interface LegacyIdentity {
  readonly key: IdentityKey
  /** Whether the profile belongs to the person who was bound, and not to somebody who took the name over. */
  isSamePerson(user: Pick<UserRow, 'email'>, boundAt: Date): Promise<boolean>
}

const LONGEST_LABEL = 64
const LONGEST_DISPLAY_NAME = 20

/** A profile from what a service said, whose texts may be of any length and hold anything. */
export function createProfile(
  { service, issuer = '', subject }: { service: api.SignInServiceName; issuer?: string; subject: string },
  { label = '', displayName, ...rest }: Omit<Profile, 'service' | 'key' | 'label'> & { label?: string | undefined },
): Profile {
  return {
    service,
    key: { provider: service, issuer, subject },
    label: visibleText(label, LONGEST_LABEL),
    displayName: visibleText(displayName, LONGEST_DISPLAY_NAME),
    ...rest,
  }
}

/** Without signs that cannot be seen, and cut by characters. */
export function visibleText(text: string, longest: number): string {
  const visible = text.normalize('NFC').replace(/\p{C}/gu, '').trim()
  return [...visible].slice(0, longest).join('').trim()
}

/** What people call the services. */
const NAMES: Readonly<Record<api.SignInServiceName, string | Phrase>> = {
  github: 'GitHub',
  oidc: 'OIDC',
  linuxdo: 'LinuxDO',
  wechat: { zh: '微信', en: 'WeChat' },
  telegram: 'Telegram',
}

export function providerName(service: api.SignInServiceName): { service: string | Phrase } {
  return { service: NAMES[service] }
}

/** Rejects a sign-in that names no service while no service is open. */
export async function requireAnyProviderEnabled({ db, catalog }: Pick<Deps, 'db' | 'catalog'>): Promise<void> {
  if (!(await setup.isDone(db))) throw new ApiError('setup_required')
  const open: readonly string[] = openSignIns(catalog().settings)
  if (!api.REDIRECT_SERVICES.some((service) => open.includes(service))) {
    throw new ApiError('oauth_disabled', { service: 'OAuth' })
  }
}

/** Refuses a service while the site is not set up, or the administrator has not opened it. */
export async function requireProviderEnabled(
  { db, catalog }: Pick<Deps, 'db' | 'catalog'>,
  service: api.SignInServiceName,
): Promise<void> {
  if (!(await setup.isDone(db))) throw new ApiError('setup_required')
  if (!openSignIns(catalog().settings).includes(service)) throw new ApiError('oauth_disabled', providerName(service))
}
