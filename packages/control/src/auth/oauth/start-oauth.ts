import { ApiError, type api } from '@tidegate/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireProof } from '../reauthenticate.ts'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { checkUserIdHeader } from '../authenticate.ts'
import { keepFlow, newState } from './oauth-state.ts'
import { refuseFailure } from './provider-client.ts'
import { newTripSecrets, redirectUriOf, requireAnyOpen, requireOpen, type RedirectServices } from './provider.ts'

type StartDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'now' | 'log'>

interface Wish {
  /** Undefined: the state is valid for each open service. */
  service?: api.RedirectService | undefined
  intent: 'login' | 'bind'
  aff?: string | undefined
}

interface StartCall {
  actor: Actor | undefined
  origin: Origin
  request: FastifyRequest
  reply: FastifyReply
}

/** Begins a round trip: the answer is where to send the browser. */
export async function startSignIn(
  deps: StartDeps,
  services: RedirectServices,
  wish: Wish & { service: api.RedirectService },
  call: StartCall,
): Promise<{ url: string; state: string }> {
  const userId = await admit(deps, wish, call)
  const [state, secrets] = [newState(), newTripSecrets()]
  const redirectUri = redirectUriOf(deps.catalog().settings, wish.service)
  const url = await refuseFailure(deps, wish.service, () =>
    services[wish.service].authorizeUrl({ state, redirectUri, secrets }),
  )
  await keepFlow(deps, state, { ...wish, aff: readAff(wish), userId, secrets }, call)
  return { url, state }
}

/** The same for a caller that builds the address by itself. */
export async function startWithStateOnly(deps: StartDeps, wish: Wish, call: StartCall): Promise<string> {
  const userId = await admit(deps, wish, call)
  const state = newState()
  await keepFlow(deps, state, { ...wish, service: wish.service, aff: readAff(wish), userId, secrets: undefined }, call)
  return state
}

/** Answers who binds; nobody for a login. */
async function admit(
  deps: StartDeps,
  { service, intent }: Wish,
  { actor, request }: StartCall,
): Promise<number | undefined> {
  await (service ? requireOpen(deps, service) : requireAnyOpen(deps))
  if (intent === 'login') return undefined
  if (!actor) throw new ApiError('not_logged_in')
  checkUserIdHeader(request, actor.id)
  await requireProof(deps, actor)
  return actor.id
}

/** Nothing longer is an invite code, and it is kept for whoever asks. */
function readAff({ aff = '' }: Wish): string {
  return aff.slice(0, 64)
}
