import { ApiError, type Language } from '@tidegate/contract'
import { recoveryCodes, totp, type Db, type Vault } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { ensureSecondFactorRemains } from '../admin-policy.ts'
import { beginReauthAttempt } from '../login/login-throttle.ts'
import { changeCredentials, markFactorUsed, reportSecurityEvent, totpTurnedOff } from '../security-events.ts'
import { newRecoveryCodes, newTotpSecret, recoveryCodeHashes, stepOfCode, totpUri } from './codes.ts'

/** Creates a secret that becomes active with its first code. Replaces an inactive one. */
export async function beginTotp(
  { db, vault, now, catalog }: Pick<Deps, 'db' | 'vault' | 'now' | 'catalog'>,
  actor: Actor,
): Promise<{ secret: string; uri: string }> {
  const secret = newTotpSecret()
  const sealed = vault.seal('totp', String(actor.id), secret)
  if (!(await totp.insertPending(db, actor.id, sealed, now()))) throw new ApiError('totp_on')
  return { secret, uri: totpUri(secret, catalog().settings, actor.username) }
}

/** Enables two-factor authentication. Returns the recovery codes; only their hashes are stored. */
export async function enableTotp(
  deps: Pick<Deps, 'db' | 'vault' | 'now' | 'limiter'>,
  actor: Actor,
  code: string,
  origin: Origin,
): Promise<{ recovery_codes: string[] }> {
  const begun = await totp.find(deps.db, actor.id)
  if (!begun) throw new ApiError('totp_not_begun')
  if (begun.enabled_at) throw new ApiError('totp_on')
  const attempt = await beginReauthAttempt(deps.limiter, 'second-factor', actor.id)
  const secret = deps.vault.open('totp', String(actor.id), begun.sealed_secret)
  const step = stepOfCode(secret, code.replace(/\s/g, ''), deps.now())
  if (step === undefined) throw new ApiError('second_factor_wrong')

  const codes = await changeCredentials(deps, actor, origin, async (transaction, _user, now) => {
    const begunAt = begun.created_at
    if (!(await totp.enable(transaction, actor.id, { begunAt, step, now }))) throw new ApiError('totp_on')
    const result = await replaceRecoveryCodes(transaction, deps.vault, actor.id)
    await markFactorUsed(transaction, actor, now)
    const content = 'Two-factor authentication turned on'
    return { note: { action: 'user.totp_on', event: 'totp_on', content }, result }
  })
  await attempt.recordSuccess()
  return { recovery_codes: codes }
}

export async function disableTotp(
  deps: Pick<Deps, 'db' | 'now' | 'catalog'>,
  actor: Actor,
  origin: Origin,
  language: Language,
): Promise<void> {
  await changeCredentials(deps, actor, origin, async (transaction, user) => {
    if (!(await totp.remove(transaction, user.id))) throw new ApiError('totp_off')
    await ensureSecondFactorRemains(transaction, deps, user)
    await recoveryCodes.removeAllOf(transaction, user.id)
    await reportSecurityEvent(deps, transaction, user, totpTurnedOff(origin), language)
    const content = 'Two-factor authentication turned off'
    return { note: { action: 'user.totp_off', event: 'totp_off', content }, result: undefined }
  })
}

export async function renewRecoveryCodes(
  deps: Pick<Deps, 'db' | 'vault' | 'now'>,
  actor: Actor,
  origin: Origin,
): Promise<{ recovery_codes: string[] }> {
  const codes = await changeCredentials(deps, actor, origin, async (transaction, user) => {
    if (!(await totp.isEnabled(transaction, user.id))) throw new ApiError('totp_off')
    const result = await replaceRecoveryCodes(transaction, deps.vault, user.id)
    const content = 'New recovery codes made'
    return { note: { action: 'user.recovery_codes', event: 'recovery_codes', content }, result }
  })
  return { recovery_codes: codes }
}

async function replaceRecoveryCodes(transaction: Db, vault: Vault, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes()
  const hashes = codes.map((code) => recoveryCodeHashes(vault, userId, code)[0]!)
  await recoveryCodes.replaceAll(transaction, userId, hashes)
  return codes
}
