import { ApiError, type Endpoint } from '@tidegate/contract'
import { type Db, passkeys, sessions, users } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { takeOwnTry } from './login/login-throttle.ts'
import { askForPasskey, checkPasskey, type PasskeyAnswer } from './passkeys/verify-passkey.ts'
import { passwordMatches } from './password/passwords.ts'
import { checkTotpCode, reauthMethodsOf } from './two-factor/factors.ts'

const PROOF_SECONDS = 600

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

async function hasProved(deps: ProofDeps, actor: Actor): Promise<boolean> {
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

type ProveDeps = Pick<Deps, 'db' | 'vault' | 'now' | 'catalog' | 'limiter'>
type ReauthenticationDeps = ProveDeps & Pick<Deps, 'authFailures'>

/** One of the three. */
interface Proof {
  password?: string | undefined
  code?: string | undefined
  passkey?: PasskeyAnswer | undefined
}

export async function askForProof(deps: ProveDeps, actor: Actor) {
  sessionOf(actor)
  if ((await passkeys.countOf(deps.db, actor.id)) === 0) throw new ApiError('passkey_not_found')
  return askForPasskey(deps, 'prove', actor.id)
}

/** Notes in the session that its owner is there; calls that want proof then ask for none for a while. */
export async function prove(
  deps: ReauthenticationDeps,
  actor: Actor,
  proof: Proof,
  origin: Origin,
): Promise<{ proved_until: string }> {
  const session = sessionOf(actor)
  await recordingFailures(deps, actor, origin, () => checkProof(deps, actor, proof))
  const at = deps.now()
  const by = proof.password === undefined ? 'factor' : 'password'
  if (!(await sessions.markProved(deps.db, session, at, by))) throw new ApiError('not_logged_in')
  return { proved_until: new Date(at.getTime() + PROOF_SECONDS * 1000).toISOString() }
}

/** A program has an access token instead, and nobody at its keyboard. */
function sessionOf({ sessionHash }: Actor): string {
  if (sessionHash === undefined) throw new ApiError('session_required')
  return sessionHash
}

async function checkProof(deps: ProveDeps, actor: Actor, { password, code, passkey }: Proof): Promise<void> {
  if ([password, code, passkey].filter((shown) => shown !== undefined).length !== 1)
    throw new ApiError('invalid_params')
  if (password !== undefined) {
    await refuseWeakerThanSecondFactor(deps, actor)
    return checkOwnPassword(deps, actor, password)
  }
  if (passkey !== undefined) return (await checkPasskey(deps, passkey, 'prove', actor.id)).noteUse(deps.db)
  const attempt = await takeOwnTry(deps.limiter, 'second-factor', actor.id)
  await (await checkTotpCode(deps, actor.id, code ?? '')).useUp(deps.db)
  await attempt.succeeded()
}

/** Before the password is looked at: a thief of the cookie must not learn here whether it is right. */
async function refuseWeakerThanSecondFactor(deps: ProveDeps, actor: Actor): Promise<void> {
  const user = await users.findById(deps.db, actor.id)
  const methods = user ? await reauthMethodsOf(deps, user) : []
  if (methods.length > 0 && !methods.includes('password')) throw new ApiError('reauth_factor_required')
}

/**
 * A borrowed browser has the cookie but not the password: what could lock the owner out wants the password again, or proof
 * of the last ten minutes, which a login is too.
 */
export async function proveOwner(
  deps: Pick<Deps, 'db' | 'limiter' | 'now'>,
  actor: Actor,
  password: string,
): Promise<void> {
  if (password !== '') return checkOwnPassword(deps, actor, password)
  if (!(await hasProved(deps, actor))) throw new ApiError('original_password_required')
}

async function checkOwnPassword(
  { db, limiter }: Pick<Deps, 'db' | 'limiter'>,
  actor: Actor,
  password: string,
): Promise<void> {
  const attempt = await takeOwnTry(limiter, 'original-password', actor.id)
  const user = await users.findById(db, actor.id)
  if (!(await passwordMatches(user?.password_hash, password))) throw new ApiError('original_password_wrong')
  await attempt.succeeded()
}

/** Somebody was only asked for it. */
const NOTHING_SHOWN: ReadonlySet<string> = new Set(['original_password_required', 'invalid_params'])

/** Records a failed re-authentication. */
export async function recordingFailures<Result>(
  { authFailures }: Pick<Deps, 'authFailures'>,
  { id }: Actor,
  origin: Origin,
  check: () => Promise<Result>,
): Promise<Result> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof ApiError && !NOTHING_SHOWN.has(error.code) && error.status < 500) {
      authFailures.record({ kind: 'reauthentication_failed', userId: id, isUser: true, origin })
    }
    throw error
  }
}
