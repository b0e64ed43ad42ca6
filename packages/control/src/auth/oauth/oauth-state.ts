import { randomBytes } from 'node:crypto'
import { ApiError, type api } from '@tidegate/contract'
import { authFlows, type Vault } from '@tidegate/storage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'
import { readSiteCookie, setSiteCookie } from '../../http/cookies.ts'
import type { OAuthSecrets } from './provider.ts'

type StateDeps = Pick<Deps, 'db' | 'vault' | 'now'>

const STATE_SECONDS = 600
const BROWSER_COOKIE = 'tidegate_sign_in'

/** The browser request that starts or finishes an OAuth flow. */
interface BrowserRequest {
  origin: Origin
  request: FastifyRequest
}

/** The purpose of an OAuth flow. */
export interface OAuthState {
  /** Undefined: valid for every provider. */
  service: api.RedirectService | undefined
  intent: 'login' | 'bind'
  /** The user who links an account; undefined for a login. */
  userId: number | undefined
  /** Invite code for an account that this login may register. */
  aff: string
  secrets: OAuthSecrets | undefined
}

export function newState(): string {
  return randomBytes(24).toString('base64url')
}

/** Stores the state of an OAuth flow, bound to the browser that starts it. */
export async function storeOAuthState(
  { db, vault, now }: StateDeps,
  state: string,
  flow: OAuthState,
  { origin, request, reply }: BrowserRequest & { reply: FastifyReply },
): Promise<void> {
  const ticketHash = stateHash(vault, state)
  // Concurrent flows in one browser share the cookie, otherwise the first could not finish.
  const browserId = readSiteCookie(request.cookies, origin, BROWSER_COOKIE) || randomBytes(24).toString('base64url')
  await authFlows.insert(db, {
    ticket_hash: ticketHash,
    kind: 'service',
    service: flow.service ?? '',
    intent: flow.intent,
    user_id: flow.userId ?? null,
    visitor_hash: browserHash(vault, browserId),
    aff: flow.aff,
    sealed: flow.secrets ? vault.seal('auth-flow', ticketHash, JSON.stringify(flow.secrets)) : '',
    created_at: now(),
    expires_at: new Date(now().getTime() + STATE_SECONDS * 1000),
  })
  // Strict works although the provider redirects the browser: our own page sends the request that needs the cookie.
  setSiteCookie(reply, origin, { name: BROWSER_COOKIE, value: browserId, maxAge: STATE_SECONDS })
}

/** Consumes a state, whatever the outcome. It is valid once, in the browser that started the flow, for one provider. */
export async function consumeOAuthState(
  { db, vault, now }: StateDeps,
  state: string,
  service: api.RedirectService,
  { origin, request }: BrowserRequest,
): Promise<OAuthState> {
  const hash = stateHash(vault, state)
  const row = state === '' ? undefined : await authFlows.consume(db, hash, 'service', now())
  const browserId = readSiteCookie(request.cookies, origin, BROWSER_COOKIE) ?? ''
  const isForService = row?.service === service || row?.service === ''
  if (!row || !isForService || row.visitor_hash !== browserHash(vault, browserId))
    throw new ApiError('oauth_state_invalid')
  return {
    service,
    intent: row.intent === 'bind' ? 'bind' : 'login',
    userId: row.user_id ?? undefined,
    aff: row.aff,
    secrets: row.sealed === '' ? undefined : (JSON.parse(vault.open('auth-flow', hash, row.sealed)) as OAuthSecrets),
  }
}

function stateHash(vault: Vault, state: string): string {
  return vault.keyedHash('auth-flow', `state:${state}`)
}

/** Uses another prefix than the state, so neither can replace the other. */
function browserHash(vault: Vault, browserId: string): string {
  return vault.keyedHash('auth-flow', `visitor:${browserId}`)
}
