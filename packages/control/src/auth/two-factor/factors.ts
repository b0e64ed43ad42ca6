import { type api, ApiError } from '@tidegate/contract'
import { type Db, passkeys, recoveryCodes, totp, type UserRow } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { passkeySite } from '../passkeys/verify-passkey.ts'
import { isTotpCode, recoveryCodeHashes, stepOfCode } from './codes.ts'

/** What a user with two-factor authentication can end a login with right now. */
export async function secondFactorsOf(
  { db, catalog }: Pick<Deps, 'db' | 'catalog'>,
  userId: number,
): Promise<api.SecondFactorNeeded['methods']> {
  const hasCodes = (await recoveryCodes.countLeft(db, userId)) > 0
  const hasPasskey = passkeySite(catalog().settings) !== undefined && (await passkeys.countOf(db, userId)) > 0
  return ['totp', ...(hasCodes ? (['recovery_code'] as const) : []), ...(hasPasskey ? (['passkey'] as const) : [])]
}

/**
 * What an account re-authenticates with. The password alone does not count where there is something stronger: it is stolen
 * together with the cookie, and would turn the second factor off.
 */
export async function reauthMethodsOf(
  { db, catalog }: Pick<Deps, 'db' | 'catalog'>,
  { id, password_hash }: Pick<UserRow, 'id' | 'password_hash'>,
): Promise<api.Security['reauth_methods']> {
  const hasTotp = await totp.isOn(db, id)
  const hasPasskey = passkeySite(catalog().settings) !== undefined && (await passkeys.countOf(db, id)) > 0
  if (hasTotp || hasPasskey)
    return [...(hasTotp ? (['code'] as const) : []), ...(hasPasskey ? (['passkey'] as const) : [])]
  return password_hash === null ? [] : ['password']
}

/** Takes everything of the kind away from a user whose row the caller has locked. Answers what there was. */
export async function removeSecondFactors(
  transaction: Db,
  userId: number,
): Promise<{ totp: boolean; passkeys: number }> {
  const hadTotp = await totp.remove(transaction, userId)
  await recoveryCodes.removeAllOf(transaction, userId)
  const hadPasskeys = await passkeys.removeAllOf(transaction, userId)
  return { totp: hadTotp, passkeys: hadPasskeys }
}

/** A code that was right when it was checked. It is used up with what it is used for, in one transaction. */
interface VerifiedFactor {
  kind: Exclude<api.SecondFactorNeeded['methods'][number], 'passkey'>
  /** Refuses when it was used before. */
  consume(transaction: Db): Promise<void>
}

type CodeDeps = Pick<Deps, 'db' | 'vault' | 'now'>

/** A code of the app, or else a recovery code. */
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
      const used = await totp.useStep(transaction, userId, row.created_at, step)
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
      if (!(await recoveryCodes.use(transaction, userId, hash, now()))) throw new ApiError('second_factor_wrong')
    },
  }
}
