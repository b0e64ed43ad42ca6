import { ApiError, type Endpoint } from '@tidegate/contract'
import { type Db, passkeys, sessions, users } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { beginReauthAttempt } from './login/login-throttle.ts'
import { createAuthenticationOptions, verifyPasskey, type PasskeyResponse } from './passkeys/verify-passkey.ts'
import { passwordMatches } from './password/passwords.ts'
import { checkTotpCode, reauthMethodsOf } from './two-factor/factors.ts'

const REAUTH_SECONDS = 600

type ReauthDeps = Pick<Deps, 'db' | 'now'>

/**
 * Requires a re-authentication of the last ten minutes (login, password, code or passkey), because a stolen cookie
 * alone must not reveal or change secrets. Programs need the system access token, or an automation token with the named
 * scope or of a guarded area.
 */
export async function requireReauth(
  deps: ReauthDeps,
  actor: Actor,
  kind: NonNullable<Endpoint['proof']> | { scope: string } = true,
): Promise<void> {
  if (actor.sessionHash === undefined) {
    if (kind !== true && !actor.automation) return
    if (kind === 'orToken' && actor.automation?.replacesReauth) return
    if (typeof kind !== 'object') throw new ApiError('session_required')
    if (!actor.automation?.scopes.includes(kind.scope)) throw new ApiError('scope_missing', kind)
    return
  }
  if (!(await hasReauthenticated(deps, actor))) throw new ApiError('proof_required')
}

async function hasReauthenticated(deps: ReauthDeps, actor: Actor): Promise<boolean> {
  const until = await reauthenticatedUntil(deps, actor)
  return until !== undefined && deps.now() < until
}

/** When the re-authentication of this session expires; undefined for access tokens. */
export async function reauthenticatedUntil(
  { db }: Pick<Deps, 'db'>,
  { sessionHash }: Actor,
): Promise<Date | undefined> {
  const reauth = sessionHash === undefined ? undefined : await sessions.findReauthentication(db, sessionHash)
  return reauth && new Date(reauth.proved_at.getTime() + REAUTH_SECONDS * 1000)
}

/**
 * For changes of second factors. A password does not count when the account has a second factor: a stolen password
 * could otherwise remove it or add another.
 */
export async function requireFactorReauth(deps: ReauthDeps & Pick<Deps, 'catalog'>, actor: Actor): Promise<void> {
  if (actor.sessionHash === undefined) throw new ApiError('session_required')
  const user = await users.findById(deps.db, actor.id)
  const methods = user ? await reauthMethodsOf(deps, user) : []
  if (methods.length === 0 || methods.includes('password')) return
  const reauth = await sessions.findReauthentication(deps.db, actor.sessionHash)
  const until = reauth?.factor_at ? reauth.factor_at.getTime() + REAUTH_SECONDS * 1000 : 0
  if (deps.now().getTime() >= until) throw new ApiError('proof_required')
}

/** For a transaction that waited for the user row: the session may have been revoked meanwhile. */
export async function ensureSessionActive(transaction: Db, { sessionHash }: Actor): Promise<void> {
  const ended =
    sessionHash !== undefined && (await sessions.findReauthentication(transaction, sessionHash)) === undefined
  if (ended) throw new ApiError('not_logged_in')
}

type CredentialDeps = Pick<Deps, 'db' | 'vault' | 'now' | 'catalog' | 'limiter'>
type ReauthenticateDeps = CredentialDeps & Pick<Deps, 'authFailures'>

/** Exactly one is set. */
interface ReauthInput {
  password?: string | undefined
  code?: string | undefined
  passkey?: PasskeyResponse | undefined
}

export async function startPasskeyReauth(deps: CredentialDeps, actor: Actor) {
  requireSession(actor)
  if ((await passkeys.countOf(deps.db, actor.id)) === 0) throw new ApiError('passkey_not_found')
  return createAuthenticationOptions(deps, 'prove', actor.id)
}

/** Records the re-authentication in the session. */
export async function reauthenticate(
  deps: ReauthenticateDeps,
  actor: Actor,
  input: ReauthInput,
  origin: Origin,
): Promise<{ proved_until: string }> {
  const session = requireSession(actor)
  await withFailureRecording(deps, actor, origin, () => checkReauthInput(deps, actor, input))
  const at = deps.now()
  const by = input.password === undefined ? 'factor' : 'password'
  if (!(await sessions.markReauthenticated(deps.db, session, at, by))) throw new ApiError('not_logged_in')
  return { proved_until: new Date(at.getTime() + REAUTH_SECONDS * 1000).toISOString() }
}

/** Access tokens cannot re-authenticate. */
function requireSession({ sessionHash }: Actor): string {
  if (sessionHash === undefined) throw new ApiError('session_required')
  return sessionHash
}

async function checkReauthInput(
  deps: CredentialDeps,
  actor: Actor,
  { password, code, passkey }: ReauthInput,
): Promise<void> {
  if ([password, code, passkey].filter((shown) => shown !== undefined).length !== 1)
    throw new ApiError('invalid_params')
  if (password !== undefined) {
    await rejectPasswordIfFactorExists(deps, actor)
    return checkOwnPassword(deps, actor, password)
  }
  if (passkey !== undefined) return (await verifyPasskey(deps, passkey, 'prove', actor.id)).recordUse(deps.db)
  const attempt = await beginReauthAttempt(deps.limiter, 'second-factor', actor.id)
  await (await checkTotpCode(deps, actor.id, code ?? '')).consume(deps.db)
  await attempt.recordSuccess()
}

/** Runs before the password check, so that a stolen cookie cannot be used to test passwords. */
async function rejectPasswordIfFactorExists(deps: CredentialDeps, actor: Actor): Promise<void> {
  const user = await users.findById(deps.db, actor.id)
  const methods = user ? await reauthMethodsOf(deps, user) : []
  if (methods.length > 0 && !methods.includes('password')) throw new ApiError('reauth_factor_required')
}

/**
 * Requires the password or a re-authentication of the last ten minutes before changes that could lock the owner out.
 */
export async function requirePasswordOrReauth(
  deps: Pick<Deps, 'db' | 'limiter' | 'now'>,
  actor: Actor,
  password: string,
): Promise<void> {
  if (password !== '') return checkOwnPassword(deps, actor, password)
  if (!(await hasReauthenticated(deps, actor))) throw new ApiError('original_password_required')
}

async function checkOwnPassword(
  { db, limiter }: Pick<Deps, 'db' | 'limiter'>,
  actor: Actor,
  password: string,
): Promise<void> {
  const attempt = await beginReauthAttempt(limiter, 'original-password', actor.id)
  const user = await users.findById(db, actor.id)
  if (!(await passwordMatches(user?.password_hash, password))) throw new ApiError('original_password_wrong')
  await attempt.recordSuccess()
}

/** Errors of requests that contained no secret. */
const NOT_ATTEMPTED: ReadonlySet<string> = new Set(['original_password_required', 'invalid_params'])

/** Runs a check and records its failure. */
export async function withFailureRecording<Result>(
  { authFailures }: Pick<Deps, 'authFailures'>,
  { id }: Actor,
  origin: Origin,
  check: () => Promise<Result>,
): Promise<Result> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof ApiError && !NOT_ATTEMPTED.has(error.code) && error.status < 500) {
      authFailures.record({ kind: 'reauthentication_failed', userId: id, isUser: true, origin })
    }
    throw error
  }
}
