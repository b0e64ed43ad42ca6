import { api, ApiError } from '@tidegate/contract'
import { identities, type UserRow } from '@tidegate/storage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { restoreCriticalBudget } from '../../http/rate-limits.ts'
import { checkUserIdHeader } from '../authenticate.ts'
import { finishSignIn } from '../login/login.ts'
import { registerWith } from '../registration/register-with-oauth.ts'
import { bindService, findOwner } from './link-account.ts'
import { type Flow, useFlow } from './oauth-state.ts'
import { refuseFailure } from './provider-client.ts'
import {
  nameOf,
  type Profile,
  redirectUriOf,
  requireOpen,
  type ServiceReturn,
  visibleText,
  type RedirectServices,
} from './provider.ts'

const ENDPOINTS = { github: api.finishGitHub, oidc: api.finishOidc, linuxdo: api.finishLinuxDo }

interface FinishCall {
  actor: Actor | undefined
  query: ServiceReturn & { state: string; error?: string | undefined; error_description?: string | undefined }
  origin: Origin
  request: FastifyRequest
  reply: FastifyReply
}

/** Ends a round trip. What it is for is in the record of its start, not in whatever cookies happen to be there. */
export async function finishRoundTrip(
  deps: Deps,
  services: RedirectServices,
  service: api.RedirectService,
  call: FinishCall,
): Promise<z.output<typeof api.SignInAnswer>> {
  const { actor, query, origin, request, reply } = call
  await requireOpen(deps, service)
  const flow = await useFlow(deps, query.state, service, call)
  const binder = flow.intent === 'bind' ? checkBinder(flow, actor, request) : undefined
  if (query.error !== undefined) {
    const reason = visibleText(query.error_description ?? query.error, 200)
    throw new ApiError('oauth_refused', { ...nameOf(service), reason })
  }
  if (query.code === '') throw new ApiError('invalid_params')

  const trip = { state: query.state, redirectUri: redirectUriOf(deps.catalog().settings, service) }
  const profile = await refuseFailure(deps, service, () =>
    services[service].readProfile(query, { ...trip, ...(flow.secrets && { secrets: flow.secrets }) }),
  )
  await restoreCriticalBudget(deps, [api.startSignIn, ENDPOINTS[service]], origin)
  if (binder) {
    await bindService(deps, binder, profile, origin)
    return { success: true, message: 'bind' }
  }
  const user = await signInWith(deps, profile, { aff: flow.aff, mayRegister: true, origin, reply })
  return { success: true, message: '', data: user }
}

/** Whoever began to bind has to be here still. */
function checkBinder({ userId }: Flow, actor: Actor | undefined, request: FastifyRequest): Actor {
  if (!actor) throw new ApiError('not_logged_in')
  checkUserIdHeader(request, actor.id)
  if (actor.id !== userId) throw new ApiError('oauth_state_invalid')
  return actor
}

interface Visit {
  aff: string
  /** Services that only let in whoever has bound them before do not make accounts. */
  mayRegister: boolean
  origin: Origin
  reply: FastifyReply
}

/** Lets the owner of a profile in; whoever is new gets an account first. */
export async function signInWith(
  deps: Deps,
  profile: Profile,
  { aff, mayRegister, origin, reply }: Visit,
): Promise<api.User> {
  const owner = await findOwner(deps.db, profile)
  if (!owner && !mayRegister) throw new ApiError('telegram_unbound')
  const user = owner ?? (await registerWith(deps, profile, { aff, origin }))
  checkStanding(user)
  await identities.setLabel(deps.db, profile.key, profile.label)
  return finishSignIn(deps, user, { origin, reply, method: profile.service })
}

function checkStanding(user: UserRow): void {
  if (user.deleted_at) throw new ApiError('user_deregistered')
  if (user.status !== api.USER_STATUS.active) throw new ApiError('user_banned')
}
