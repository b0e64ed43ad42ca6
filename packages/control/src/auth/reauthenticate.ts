import { ApiError, type Endpoint } from '@tidegate/contract'
import { sessions, users, type Db } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'
import { reauthMethodsOf } from './two-factor/factors.ts'

export const PROOF_SECONDS = 600

type ProofDeps = Pick<Deps, 'db' | 'now'>

/**
 * A borrowed browser has the cookie, and nothing else of its owner. What reveals or changes a secret wants more: a login,
 * a password, a code or a passkey of the last ten minutes. A program gets in with the system access token, or with an
 * automation token that has the `scope` named, or one of a guarded area where none is.
 */
export async function requireProof(
  deps: ProofDeps,
  actor: Actor,
  kind: NonNullable<Endpoint['proof']> | { scope: string } = true,
): Promise<void> {
  if (actor.sessionHash === undefined) {
    if (kind !== true && !actor.automation) return
    if (kind === 'orToken' && actor.automation?.standsForProof) return
    if (typeof kind !== 'object') throw new ApiError('session_required')
    if (!actor.automation?.scopes.includes(kind.scope)) throw new ApiError('scope_missing', kind)
    return
  }
  if (!(await hasProved(deps, actor))) throw new ApiError('proof_required')
}

export async function hasProved(deps: ProofDeps, actor: Actor): Promise<boolean> {
  const until = await provedUntil(deps, actor)
  return until !== undefined && deps.now() < until
}

/** Until when this session is taken for its owner; undefined for a caller with an access token. */
export async function provedUntil({ db }: Pick<Deps, 'db'>, { sessionHash }: Actor): Promise<Date | undefined> {
  const proof = sessionHash === undefined ? undefined : await sessions.proofOf(db, sessionHash)
  return proof && new Date(proof.proved_at.getTime() + PROOF_SECONDS * 1000)
}

/**
 * For changes of second factors. A password, or a login with it, does not count where the account has a second factor:
 * otherwise a stolen password would be enough to remove it, or to add another one.
 */
export async function requireFactor(deps: ProofDeps & Pick<Deps, 'catalog'>, actor: Actor): Promise<void> {
  if (actor.sessionHash === undefined) throw new ApiError('session_required')
  const user = await users.findById(deps.db, actor.id)
  const methods = user ? await reauthMethodsOf(deps, user) : []
  if (methods.length === 0 || methods.includes('password')) return
  const proof = await sessions.proofOf(deps.db, actor.sessionHash)
  const until = proof?.factor_at ? proof.factor_at.getTime() + PROOF_SECONDS * 1000 : 0
  if (deps.now().getTime() >= until) throw new ApiError('proof_required')
}

/** For a transaction that waited for the row of its user: another may have ended this session meanwhile. */
export async function refuseEndedSession(transaction: Db, { sessionHash }: Actor): Promise<void> {
  const ended = sessionHash !== undefined && (await sessions.proofOf(transaction, sessionHash)) === undefined
  if (ended) throw new ApiError('not_logged_in')
}
