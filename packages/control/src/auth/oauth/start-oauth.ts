import { ApiError, type api } from '@tidegate/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireReauth } from '../reauthenticate.ts'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { checkUserIdHeader } from '../authenticate.ts'
import { storeOAuthState, newState } from './oauth-state.ts'
import { withProviderErrors } from './provider-client.ts'
import {
  newOAuthSecrets,
  redirectUriOf,
  requireAnyProviderEnabled,
  requireProviderEnabled,
  type OAuthProviders,
} from './provider.ts'

type StartDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'now' | 'log'>

interface StartOptions {
  /** Undefined: the state is valid for every enabled provider. */
  service?: api.RedirectService | undefined
  intent: 'login' | 'bind'
  aff?: string | undefined
}

interface StartRequest {
  actor: Actor | undefined
  origin: Origin
  request: FastifyRequest
  reply: FastifyReply
}

/** Starts an OAuth flow and returns the authorization URL. */
export async function startOAuth(
  deps: StartDeps,
  providers: OAuthProviders,
  options: StartOptions & { service: api.RedirectService },
  start: StartRequest,
): Promise<{ url: string; state: string }> {
  const userId = await requireStartAllowed(deps, options, start)
  const [state, secrets] = [newState(), newOAuthSecrets()]
  const redirectUri = redirectUriOf(deps.catalog().settings, options.service)
  const url = await withProviderErrors(deps, options.service, () =>
    providers[options.service].authorizeUrl({ state, redirectUri, secrets }),
  )
  await storeOAuthState(deps, state, { ...options, aff: readInviteCode(options), userId, secrets }, start)
  return { url, state }
}

/** Starts a flow for a caller that builds the authorization URL itself. */
export async function startOAuthWithState(
  deps: StartDeps,
  options: StartOptions,
  start: StartRequest,
): Promise<string> {
  const userId = await requireStartAllowed(deps, options, start)
  const state = newState()
  await storeOAuthState(
    deps,
    state,
    { ...options, service: options.service, aff: readInviteCode(options), userId, secrets: undefined },
    start,
  )
  return state
}

/** Returns the user who links an account; undefined for a login. */
async function requireStartAllowed(
  deps: StartDeps,
  { service, intent }: StartOptions,
  { actor, request }: StartRequest,
): Promise<number | undefined> {
  await (service ? requireProviderEnabled(deps, service) : requireAnyProviderEnabled(deps))
  if (intent === 'login') return undefined
  if (!actor) throw new ApiError('not_logged_in')
  checkUserIdHeader(request, actor.id)
  await requireReauth(deps, actor)
  return actor.id
}

/** Limits the length: the value is stored for anonymous callers. */
function readInviteCode({ aff = '' }: StartOptions): string {
  return aff.slice(0, 64)
}
