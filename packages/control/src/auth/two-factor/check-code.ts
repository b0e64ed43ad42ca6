import { ApiError, type api } from '@tidegate/contract'
import { recoveryCodes, totp, type Db } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { recoveryCodeHashes } from './recovery-codes.ts'
import { isTotpCode, stepOfCode } from './totp-codes.ts'

/** A code that was right when it was checked. It is used up with what it is used for, in one transaction. */
export interface CheckedFactor {
  kind: Exclude<api.SecondFactorNeeded['methods'][number], 'passkey'>
  /** Refuses when it was used before. */
  useUp(transaction: Db): Promise<void>
}

type CodeDeps = Pick<Deps, 'db' | 'vault' | 'now'>

/** A code of the app, or else a recovery code. */
export async function checkAnyCode(deps: CodeDeps, userId: number, typed: string): Promise<CheckedFactor> {
  const code = typed.replace(/\s/g, '')
  return isTotpCode(code) ? checkTotpCode(deps, userId, code) : checkRecoveryCode(deps, userId, code)
}

export async function checkTotpCode(
  { db, vault, now }: CodeDeps,
  userId: number,
  typed: string,
): Promise<CheckedFactor> {
  const row = await totp.find(db, userId)
  if (!row?.enabled_at) throw new ApiError('second_factor_wrong')
  const step = stepOfCode(vault.open('totp', String(userId), row.sealed_secret), typed.replace(/\s/g, ''), now())
  if (step === undefined) throw new ApiError('second_factor_wrong')
  return {
    kind: 'totp',
    async useUp(transaction) {
      const used = await totp.useStep(transaction, userId, row.created_at, step)
      if (!used) throw new ApiError('second_factor_wrong')
    },
  }
}

async function checkRecoveryCode({ db, vault, now }: CodeDeps, userId: number, code: string): Promise<CheckedFactor> {
  const hash = await recoveryCodes.findUnused(db, userId, recoveryCodeHashes(vault, userId, code))
  if (hash === undefined) throw new ApiError('second_factor_wrong')
  return {
    kind: 'recovery_code',
    async useUp(transaction) {
      if (!(await recoveryCodes.use(transaction, userId, hash, now()))) throw new ApiError('second_factor_wrong')
    },
  }
}
