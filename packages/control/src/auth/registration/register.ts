import { ApiError, type api } from '@tidegate/contract'
import { inTransaction } from '@tidegate/ledger'
import { setup } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'
import { checkPassword, checkUsername, refuseLookAlike } from '../password/account-rules.ts'
import { readEmail } from './check-email.ts'
import { giveDefaultToken } from './default-token.ts'
import { checkCode, type CheckedCode } from './mail-codes.ts'
import { openAccount, refuseIfClosed } from './open-account.ts'
import { hashPassword } from '../password/passwords.ts'

type RegisterDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'now' | 'site' | 'log'>

/** Makes an account: the user, the use of the mailed code, gifts and rewards in one transaction. Does not log in. */
export async function register(deps: RegisterDeps, input: api.Registration, origin: Origin): Promise<void> {
  const { db, now } = deps
  const { settings } = deps.catalog()
  if (!(await setup.isDone(db))) throw new ApiError('setup_required')
  refuseIfClosed(settings)
  if (!settings.PasswordRegisterEnabled) throw new ApiError('password_register_off')
  const username = checkUsername(input.username)
  if (input.password2 !== undefined && input.password2 !== input.password) throw new ApiError('password_mismatch')
  const password = await checkPassword(input.password, { username, siteName: settings.SystemName })
  const verified = settings.EmailVerificationEnabled ? await verifyEmail(deps, input) : undefined
  await refuseLookAlike(db, username)
  const passwordHash = await hashPassword(password)

  const at = now()
  const userId = await inTransaction(db, at, async (transaction) => {
    if (verified && !(await verified.code.use(transaction))) throw new ApiError('code_invalid')
    const newcomer = { username, passwordHash, email: verified?.email ?? '', aff: input.aff_code }
    const id = await openAccount(transaction, newcomer, { settings, origin, at })
    if (id === undefined) throw new ApiError('username_taken')
    return id
  })
  if (deps.site.generateDefaultToken) await giveDefaultToken(deps, userId, username)
}

async function verifyEmail(
  deps: RegisterDeps,
  { email, verification_code }: api.Registration,
): Promise<{ email: string; code: CheckedCode }> {
  if (email.trim() === '' || verification_code.trim() === '') throw new ApiError('email_code_required')
  const address = readEmail(email)
  const key = { purpose: 'register', address, userId: 0 } as const
  const code = await checkCode(deps, key, verification_code.trim())
  if (!code) throw new ApiError('code_invalid')
  return { email: address, code }
}
