import { Refusal, type Endpoint } from '@tidegate/contract'
import { sessions, type Db } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'

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
    if (typeof kind !== 'object') throw new Refusal('session_required')
    if (!actor.automation?.scopes.includes(kind.scope)) throw new Refusal('scope_missing', kind)
    return
  }
  if (!(await hasProved(deps, actor))) throw new Refusal('proof_required')
}

export async function hasProved(deps: ProofDeps, actor: Actor): Promise<boolean> {
  const until = await provedUntil(deps, actor)
  return until !== undefined && deps.now() < until
}

/** Until when this session is taken for its owner; undefined for a caller with an access token. */
export async function provedUntil({ db }: Pick<Deps, 'db'>, { sessionHash }: Actor): Promise<Date | undefined> {
  const at = sessionHash === undefined ? undefined : await sessions.provedAt(db, sessionHash)
  return at && new Date(at.getTime() + PROOF_SECONDS * 1000)
}

/** For a transaction that waited for the row of its user: another may have ended this session meanwhile. */
export async function refuseEndedSession(transaction: Db, { sessionHash }: Actor): Promise<void> {
  const ended = sessionHash !== undefined && (await sessions.provedAt(transaction, sessionHash)) === undefined
  if (ended) throw new Refusal('not_logged_in')
}
