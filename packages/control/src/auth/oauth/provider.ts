import { createHash, randomBytes } from 'node:crypto'
import { api, ApiError, enabledSignIns, type LocalizedText, type Settings } from '@tidegate/contract'
import { type IdentityKey, setup, type UserRow } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { serverAddress } from '../../settings/site-status.ts'

/** Secrets of an OAuth flow that stay on the server. */
export interface OAuthSecrets {
  /** PKCE verifier: proves that the code is redeemed by the client that requested it. */
  readonly verifier: string
  /** Binds the ID token to this flow. */
  readonly nonce: string
}

/** Parameters of an authorization request. */
interface AuthorizationRequest {
  readonly state: string
  readonly redirectUri: string
  readonly secrets: OAuthSecrets
}

/** Parameters that a provider returns with the browser. */
export interface AuthorizationResponse {
  readonly code: string
  readonly iss?: string | undefined
}

/** A provider that redirects the browser back with an authorization code. */
export interface OAuthProvider {
  /** The authorization URL for the browser. */
  authorizeUrl(request: AuthorizationRequest): Promise<string>
  /** Redeems the code. There are no secrets when the caller built the authorization URL. */
  readProfile(
    response: AuthorizationResponse,
    request: Omit<AuthorizationRequest, 'secrets'> & { secrets?: OAuthSecrets },
  ): Promise<Profile>
}

export type OAuthProviders = Readonly<Record<api.RedirectService, OAuthProvider>>

export function newOAuthSecrets(): OAuthSecrets {
  return { verifier: randomBytes(32).toString('base64url'), nonce: randomBytes(16).toString('base64url') }
}

/** Must be the same address in both steps, and always ours. */
export function redirectUriOf(settings: Settings, service: api.RedirectService): string {
  return `${serverAddress(settings)}/oauth/${service}`
}

export function pkceChallenge(verifier: string): { code_challenge: string; code_challenge_method: string } {
  return {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
}

/** A user as described by a provider. */
export interface Profile {
  readonly service: api.SignInServiceName
  readonly key: IdentityKey
  /** An older identity of the same user by a name that others could take over. */
  readonly legacy?: LegacyIdentity
  /** Name at the provider, shown with the link. */
  readonly label: string
  readonly displayName: string
  /** Preferred username. */
  readonly username?: string
  /** An email address verified by the provider; requested only for registration. */
  readEmail?(): Promise<string | undefined>
}

interface LegacyIdentity {
  readonly key: IdentityKey
  /** Whether the profile belongs to the linked user, and not to someone who took over the name. */
  isSamePerson(user: Pick<UserRow, 'email'>, boundAt: Date): Promise<boolean>
}

const MAX_LABEL_LENGTH = 64
const MAX_DISPLAY_NAME_LENGTH = 20

/** Builds a profile; texts of the provider can have any length and content. */
export function createProfile(
  { service, issuer = '', subject }: { service: api.SignInServiceName; issuer?: string; subject: string },
  { label = '', displayName, ...rest }: Omit<Profile, 'service' | 'key' | 'label'> & { label?: string | undefined },
): Profile {
  return {
    service,
    key: { provider: service, issuer, subject },
    label: visibleText(label, MAX_LABEL_LENGTH),
    displayName: visibleText(displayName, MAX_DISPLAY_NAME_LENGTH),
    ...rest,
  }
}

/** Removes invisible characters and limits the length in characters. */
export function visibleText(text: string, longest: number): string {
  const visible = text.normalize('NFC').replace(/\p{C}/gu, '').trim()
  return [...visible].slice(0, longest).join('').trim()
}

/** Display names of the providers. */
const NAMES: Readonly<Record<api.SignInServiceName, string | LocalizedText>> = {
  github: 'GitHub',
  oidc: 'OIDC',
  linuxdo: 'LinuxDO',
  wechat: { zh: '微信', en: 'WeChat' },
  telegram: 'Telegram',
}

export function providerName(service: api.SignInServiceName): { service: string | LocalizedText } {
  return { service: NAMES[service] }
}

/** Rejects a login without a provider while no provider is enabled. */
export async function requireAnyProviderEnabled({ db, catalog }: Pick<Deps, 'db' | 'catalog'>): Promise<void> {
  if (!(await setup.isDone(db))) throw new ApiError('setup_required')
  const open: readonly string[] = enabledSignIns(catalog().settings)
  if (!api.REDIRECT_SERVICES.some((service) => open.includes(service))) {
    throw new ApiError('oauth_disabled', { service: 'OAuth' })
  }
}

/** Rejects a provider that is not enabled, or any provider before setup. */
export async function requireProviderEnabled(
  { db, catalog }: Pick<Deps, 'db' | 'catalog'>,
  service: api.SignInServiceName,
): Promise<void> {
  if (!(await setup.isDone(db))) throw new ApiError('setup_required')
  if (!enabledSignIns(catalog().settings).includes(service)) throw new ApiError('oauth_disabled', providerName(service))
}
