import { api, ApiError } from '@tidegate/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { checkUserIdHeader } from '../authenticate.ts'
import { restoreCriticalBudget } from '../../http/rate-limits.ts'
import { bindService } from './bind-service.ts'
import { useFlow, type Flow } from './oauth-state.ts'
import { visibleText } from './profile.ts'
import type { RedirectServices } from './redirect-services.ts'
import { refuseFailure } from './refuse-failure.ts'
import { nameOf, requireOpen } from './services.ts'
import { signInWith } from './sign-in-with.ts'
import { redirectUriOf, type ServiceReturn } from './provider.ts'

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
