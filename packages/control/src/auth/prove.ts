import { ApiError } from '@tidegate/contract'
import { passkeys, sessions, users } from '@tidegate/storage'
import { takeOwnTry } from './login/reauth-throttle.ts'
import { PROOF_SECONDS } from './reauthenticate.ts'
import { recordingFailures } from './reauthentication.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { checkOwnPassword } from './prove-owner.ts'
import { checkTotpCode } from './two-factor/check-code.ts'
import { askForPasskey, checkPasskey, type PasskeyAnswer } from './passkeys/verify-passkey.ts'
import { reauthMethodsOf } from './two-factor/factors.ts'

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
