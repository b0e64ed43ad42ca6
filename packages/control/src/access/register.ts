import { Refusal, type api, type Settings } from '@tidegate/contract'
import { giveSignupGift, inTransaction, rewardInvite } from '@tidegate/ledger'
import { auditEvents, registrations, setup, type Db } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Origin } from '../http/actor.ts'
import { checkPassword, checkUsername } from './check-account.ts'
import { readEmail } from './check-email.ts'
import { giveDefaultToken } from './default-token.ts'
import { newInviteCode } from './invite-code.ts'
import { checkCode, type CheckedCode } from './mail-codes.ts'
import { hashPassword } from './passwords.ts'

type RegisterDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'now' | 'site' | 'log'>

/** Makes an account: the user, the use of the mailed code, gifts and rewards in one transaction. Does not log in. */
export async function register(deps: RegisterDeps, input: api.Registration, origin: Origin): Promise<void> {
  const { db, now } = deps
  const { settings } = deps.catalog()
  if (!(await setup.isDone(db))) throw new Refusal('setup_required')
  // A site for one person has nobody to register.
  if (!settings.RegisterEnabled || settings.SelfUseModeEnabled) throw new Refusal('register_off')
  if (!settings.PasswordRegisterEnabled) throw new Refusal('password_register_off')
  const username = checkUsername(input.username)
  const password = checkPassword(input.password)
  const verified = settings.EmailVerificationEnabled ? await verifyEmail(deps, input) : undefined
  if (await registrations.isNameUsed(db, username)) throw new Refusal('username_taken')
  const passwordHash = await hashPassword(password)

  const at = now()
  const userId = await inTransaction(db, at, async (transaction) => {
    if (verified && !(await verified.code.use(transaction))) throw new Refusal('code_invalid')
    const inviterId = await findInviter(transaction, settings, input.aff_code)
    const email = verified?.email ?? ''
    const id = await insertAccount(transaction, { username, passwordHash, email, inviterId })
    await giveSignupGift(transaction, { userId: id, settings, now: at })
    if (inviterId !== null) await rewardInvite(transaction, { userId: id, settings, now: at })
    await auditEvents.record(transaction, { actorId: id, action: 'user.register', subject: String(id), ...origin })
    return id
  })
  if (deps.site.generateDefaultToken) await giveDefaultToken(deps, userId, username)
}

async function verifyEmail(
  deps: RegisterDeps,
  { email, verification_code }: api.Registration,
): Promise<{ email: string; code: CheckedCode }> {
  if (email.trim() === '' || verification_code.trim() === '') throw new Refusal('email_code_required')
  const address = readEmail(email)
  const key = { purpose: 'register', address, userId: 0 } as const
  const code = await checkCode(deps, key, verification_code.trim())
  if (!code) throw new Refusal('code_invalid')
  return { email: address, code }
}

/** Codes are letters and digits; whatever else is sent is nobody's, and never reaches the database. */
async function findInviter(
  db: Db,
  { AffEnabled }: Pick<Settings, 'AffEnabled'>,
  given: string,
): Promise<number | null> {
  const code = given.trim()
  if (!AffEnabled || !/^\w{1,64}$/.test(code)) return null
  return (await registrations.findInviter(db, code)) ?? null
}

/** Retries when the invite code made up for the new user is taken, which in a lifetime of a site hardly happens. */
async function insertAccount(db: Db, account: Omit<registrations.NewAccount, 'inviteCode'>): Promise<number> {
  // An address of a deregistered user is reserved too, and no index says so.
  if (account.email !== '' && (await registrations.isEmailUsed(db, account.email))) throw new Refusal('username_taken')
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const id = await registrations.insert(db, { ...account, inviteCode: newInviteCode() })
    if (id !== undefined) return id
    const taken =
      (await registrations.isNameUsed(db, account.username)) || (await registrations.isEmailUsed(db, account.email))
    if (taken) throw new Refusal('username_taken')
  }
  throw new Error('no free invite code was found')
}
