import { type api, ApiError } from '@tidegate/contract'
import { type Db, passkeys, recoveryCodes, totp, type UserRow } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { passkeySite } from '../passkeys/verify-passkey.ts'
import { isTotpCode, recoveryCodeHashes, stepOfCode } from './codes.ts'

/** Second factors that the user can use now. */
export async function secondFactorsOf(
  { db, catalog }: Pick<Deps, 'db' | 'catalog'>,
  userId: number,
): Promise<api.SecondFactorNeeded['methods']> {
  const hasCodes = (await recoveryCodes.countLeft(db, userId)) > 0
  const hasPasskey = passkeySite(catalog().settings) !== undefined && (await passkeys.countOf(db, userId)) > 0
  return ['totp', ...(hasCodes ? (['recovery_code'] as const) : []), ...(hasPasskey ? (['passkey'] as const) : [])]
}

/**
 * How an account can re-authenticate. The password does not count when there is a stronger method: it could be stolen
 * with the cookie.
 */
export async function reauthMethodsOf(
  { db, catalog }: Pick<Deps, 'db' | 'catalog'>,
  { id, password_hash }: Pick<UserRow, 'id' | 'password_hash'>,
): Promise<api.Security['reauth_methods']> {
  const hasTotp = await totp.isEnabled(db, id)
  const hasPasskey = passkeySite(catalog().settings) !== undefined && (await passkeys.countOf(db, id)) > 0
  if (hasTotp || hasPasskey)
    return [...(hasTotp ? (['code'] as const) : []), ...(hasPasskey ? (['passkey'] as const) : [])]
  return password_hash === null ? [] : ['password']
}

/** Removes all second factors of a locked user. Returns what was removed. */
export async function removeSecondFactors(
  transaction: Db,
  userId: number,
): Promise<{ totp: boolean; passkeys: number }> {
  const hadTotp = await totp.remove(transaction, userId)
  await recoveryCodes.removeAllOf(transaction, userId)
  const hadPasskeys = await passkeys.removeAllOf(transaction, userId)
  return { totp: hadTotp, passkeys: hadPasskeys }
}

/** A verified code. It is consumed in the transaction of the operation. */
interface VerifiedFactor {
  kind: Exclude<api.SecondFactorNeeded['methods'][number], 'passkey'>
  /** Throws when the code was used before. */
  consume(transaction: Db): Promise<void>
}

type CodeDeps = Pick<Deps, 'db' | 'vault' | 'now'>

/** An app code or a recovery code. */
export async function checkAnyCode(deps: CodeDeps, userId: number, typed: string): Promise<VerifiedFactor> {
  const code = typed.replace(/\s/g, '')
  return isTotpCode(code) ? checkTotpCode(deps, userId, code) : checkRecoveryCode(deps, userId, code)
}

export async function checkTotpCode(
  { db, vault, now }: CodeDeps,
  userId: number,
  typed: string,
): Promise<VerifiedFactor> {
  const row = await totp.find(db, userId)
  if (!row?.enabled_at) throw new ApiError('second_factor_wrong')
  const step = stepOfCode(vault.open('totp', String(userId), row.sealed_secret), typed.replace(/\s/g, ''), now())
  if (step === undefined) throw new ApiError('second_factor_wrong')
  return {
    kind: 'totp',
    async consume(transaction) {
      const used = await totp.consumeStep(transaction, userId, row.created_at, step)
      if (!used) throw new ApiError('second_factor_wrong')
    },
  }
}

async function checkRecoveryCode({ db, vault, now }: CodeDeps, userId: number, code: string): Promise<VerifiedFactor> {
  const hash = await recoveryCodes.findUnused(db, userId, recoveryCodeHashes(vault, userId, code))
  if (hash === undefined) throw new ApiError('second_factor_wrong')
  return {
    kind: 'recovery_code',
    async consume(transaction) {
      if (!(await recoveryCodes.consume(transaction, userId, hash, now()))) throw new ApiError('second_factor_wrong')
    },
  }
}
