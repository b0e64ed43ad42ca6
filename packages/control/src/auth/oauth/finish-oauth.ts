import { api, ApiError } from '@tidegate/contract'
import { identities, type UserRow } from '@tidegate/storage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { restoreCriticalLimit } from '../../http/rate-limits.ts'
import { checkUserIdHeader } from '../authenticate.ts'
import { completeLogin } from '../login/login.ts'
import { registerWithProfile } from '../registration/register-with-oauth.ts'
import { linkAccount, findOwner } from './link-account.ts'
import { type OAuthState, consumeOAuthState } from './oauth-state.ts'
import { withProviderErrors } from './provider-client.ts'
import {
  providerName,
  type Profile,
  redirectUriOf,
  requireProviderEnabled,
  type AuthorizationResponse,
  visibleText,
  type OAuthProviders,
} from './provider.ts'

const ENDPOINTS = { github: api.finishGitHub, oidc: api.finishOidc, linuxdo: api.finishLinuxDo }

interface OAuthCallbackRequest {
  actor: Actor | undefined
  query: AuthorizationResponse & { state: string; error?: string | undefined; error_description?: string | undefined }
  origin: Origin
  request: FastifyRequest
  reply: FastifyReply
}

/** Finishes an OAuth flow. The stored state decides its purpose, not the cookies of the request. */
export async function finishOAuth(
  deps: Deps,
  providers: OAuthProviders,
  service: api.RedirectService,
  call: OAuthCallbackRequest,
): Promise<z.output<typeof api.SignInAnswer>> {
  const { actor, query, origin, request, reply } = call
  await requireProviderEnabled(deps, service)
  const flow = await consumeOAuthState(deps, query.state, service, call)
  const binder = flow.intent === 'bind' ? requireLinkingUser(flow, actor, request) : undefined
  if (query.error !== undefined) {
    const reason = visibleText(query.error_description ?? query.error, 200)
    throw new ApiError('oauth_refused', { ...providerName(service), reason })
  }
  if (query.code === '') throw new ApiError('invalid_params')

  const authorization = { state: query.state, redirectUri: redirectUriOf(deps.catalog().settings, service) }
  const profile = await withProviderErrors(deps, service, () =>
    providers[service].readProfile(query, { ...authorization, ...(flow.secrets && { secrets: flow.secrets }) }),
  )
  await restoreCriticalLimit(deps, [api.startSignIn, ENDPOINTS[service]], origin)
  if (binder) {
    await linkAccount(deps, binder, profile, origin)
    return { success: true, message: 'bind' }
  }
  const user = await loginWithProfile(deps, profile, { aff: flow.aff, mayRegister: true, origin, reply })
  return { success: true, message: '', data: user }
}

/** The user who started linking must still be logged in. */
function requireLinkingUser({ userId }: OAuthState, actor: Actor | undefined, request: FastifyRequest): Actor {
  if (!actor) throw new ApiError('not_logged_in')
  checkUserIdHeader(request, actor.id)
  if (actor.id !== userId) throw new ApiError('oauth_state_invalid')
  return actor
}

interface OAuthLoginContext {
  aff: string
  /** False for providers that only log in existing accounts. */
  mayRegister: boolean
  origin: Origin
  reply: FastifyReply
}

/** Logs in the owner of a profile; registers a new account first if there is none. */
export async function loginWithProfile(
  deps: Deps,
  profile: Profile,
  { aff, mayRegister, origin, reply }: OAuthLoginContext,
): Promise<api.User> {
  const owner = await findOwner(deps.db, profile)
  if (!owner && !mayRegister) throw new ApiError('telegram_unbound')
  const user = owner ?? (await registerWithProfile(deps, profile, { aff, origin }))
  ensureUserActive(user)
  await identities.setLabel(deps.db, profile.key, profile.label)
  return completeLogin(deps, user, { origin, reply, method: profile.service })
}

function ensureUserActive(user: UserRow): void {
  if (user.deleted_at) throw new ApiError('user_deregistered')
  if (user.status !== api.USER_STATUS.active) throw new ApiError('user_banned')
}
