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

/** The request of the browser that starts or ends a round trip. */
interface BrowserRequest {
  origin: Origin
  request: FastifyRequest
}

/** What a round trip is for. */
export interface OAuthState {
  /** Undefined: valid for each service. */
  service: api.RedirectService | undefined
  intent: 'login' | 'bind'
  /** Who binds; a login belongs to nobody yet. */
  userId: number | undefined
  /** The invite code that an account made by this sign-in counts for. */
  aff: string
  secrets: OAuthSecrets | undefined
}

export function newState(): string {
  return randomBytes(24).toString('base64url')
}

/** Remembers a round trip under its state, for the browser that starts it. */
export async function storeOAuthState(
  { db, vault, now }: StateDeps,
  state: string,
  flow: OAuthState,
  { origin, request, reply }: BrowserRequest & { reply: FastifyReply },
): Promise<void> {
  const ticketHash = stateHash(vault, state)
  // Round trips side by side in one browser share the cookie, or the first could not be finished.
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
  // Strict although the service sends the browser back: the call that needs the cookie is made by our own page.
  setSiteCookie(reply, origin, { name: BROWSER_COOKIE, value: browserId, maxAge: STATE_SECONDS })
}

/** Uses a state up, whatever comes of it: it is good once, in the browser it was made for, for one service. */
export async function consumeOAuthState(
  { db, vault, now }: StateDeps,
  state: string,
  service: api.RedirectService,
  { origin, request }: BrowserRequest,
): Promise<OAuthState> {
  const hash = stateHash(vault, state)
  const row = state === '' ? undefined : await authFlows.use(db, hash, 'service', now())
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

/** Keyed like the state, so that neither can stand in for the other. */
function browserHash(vault: Vault, browserId: string): string {
  return vault.keyedHash('auth-flow', `visitor:${browserId}`)
}
