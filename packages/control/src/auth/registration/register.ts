import { randomInt } from 'node:crypto'
import { api, ApiError, ROLES, type Settings, logEvent } from '@tidegate/contract'
import { creditSignup, inTransaction, rewardInvite } from '@tidegate/ledger'
import { auditEvents, type Db, registrations, setup } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'
import { createToken } from '../../tokens/create-token.ts'
import { checkPassword, checkUsername, rejectLookAlike } from '../password/account-rules.ts'
import { hashPassword } from '../password/passwords.ts'
import { checkCode, type VerifiedCode, readEmail } from './verification.ts'

type RegisterDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'now' | 'site' | 'log'>

/** Registers an account: user, email code, sign-up credit and rewards in one transaction. Does not log in. */
export async function register(deps: RegisterDeps, input: api.Registration, origin: Origin): Promise<void> {
  const { db, now } = deps
  const { settings } = deps.catalog()
  if (!(await setup.isDone(db))) throw new ApiError('setup_required')
  ensureRegistrationOpen(settings)
  if (!settings.PasswordRegisterEnabled) throw new ApiError('password_register_off')
  const username = checkUsername(input.username)
  if (input.password2 !== undefined && input.password2 !== input.password) throw new ApiError('password_mismatch')
  const password = await checkPassword(input.password, { username, siteName: settings.SystemName })
  const verified = settings.EmailVerificationEnabled ? await verifyEmail(deps, input) : undefined
  await rejectLookAlike(db, username)
  const passwordHash = await hashPassword(password)

  const at = now()
  const userId = await inTransaction(db, at, async (transaction) => {
    if (verified && !(await verified.code.use(transaction))) throw new ApiError('code_invalid')
    const newAccount = { username, passwordHash, email: verified?.email ?? '', aff: input.aff_code }
    const id = await createAccount(transaction, newAccount, { settings, origin, at })
    if (id === undefined) throw new ApiError('username_taken')
    return id
  })
  if (deps.site.generateDefaultToken) await createDefaultToken(deps, userId, username)
}

async function verifyEmail(
  deps: RegisterDeps,
  { email, verification_code }: api.Registration,
): Promise<{ email: string; code: VerifiedCode }> {
  if (email.trim() === '' || verification_code.trim() === '') throw new ApiError('email_code_required')
  const address = readEmail(email)
  const key = { purpose: 'register', address, userId: 0 } as const
  const code = await checkCode(deps, key, verification_code.trim())
  if (!code) throw new ApiError('code_invalid')
  return { email: address, code }
}

export interface NewAccountInput extends Pick<
  registrations.NewAccount,
  'username' | 'displayName' | 'passwordHash' | 'email'
> {
  /** The invite code as sent. */
  aff: string
}

/** Self-use sites have no registration. */
export function ensureRegistrationOpen({
  RegisterEnabled,
  SelfUseModeEnabled,
}: Pick<Settings, 'RegisterEnabled' | 'SelfUseModeEnabled'>): void {
  if (!RegisterEnabled || SelfUseModeEnabled) throw new ApiError('register_off')
}

/**
 * Inserts an account with its sign-up credit and the inviter's reward. Undefined when the username, a look-alike or the email
 * address is taken.
 */
export async function createAccount(
  transaction: Db,
  { aff, ...account }: NewAccountInput,
  { settings, origin, at }: { settings: Settings; origin: Origin; at: Date },
): Promise<number | undefined> {
  await registrations.lockLookAlikes(transaction, account.username)
  if (await registrations.hasLookAlike(transaction, account.username)) return undefined
  const inviterId = await findInviter(transaction, settings, aff)
  const id = await insertAccount(transaction, { ...account, inviterId })
  if (id === undefined) return undefined
  await creditSignup(transaction, { userId: id, settings, now: at })
  if (inviterId !== null) await rewardInvite(transaction, { userId: id, settings, now: at })
  await auditEvents.record(transaction, { actorId: id, action: 'user.register', subject: String(id), ...origin })
  return id
}

/** Invite codes are letters and digits; other text never reaches the database. */
async function findInviter(
  db: Db,
  { AffEnabled }: Pick<Settings, 'AffEnabled'>,
  value: string,
): Promise<number | null> {
  const code = value.trim()
  if (!AffEnabled || !/^\w{1,64}$/.test(code)) return null
  return (await registrations.findInviter(db, code)) ?? null
}

/** Retries when the generated invite code is taken. */
async function insertAccount(
  db: Db,
  account: Omit<registrations.NewAccount, 'inviteCode'>,
): Promise<number | undefined> {
  // Addresses of deregistered users stay reserved, which no index enforces.
  if (account.email !== '' && (await registrations.isEmailUsed(db, account.email))) return undefined
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const id = await registrations.insert(db, { ...account, inviteCode: newInviteCode() })
    if (id !== undefined) return id
    const taken =
      (await registrations.isNameUsed(db, account.username)) || (await registrations.isEmailUsed(db, account.email))
    if (taken) return undefined
  }
  throw new Error('no free invite code found')
}

/** Creates the first API token of a new user. A failure does not affect the account. */
export async function createDefaultToken(
  deps: Pick<Deps, 'db' | 'vault' | 'catalog' | 'now' | 'site' | 'log'>,
  id: number,
  username: string,
): Promise<void> {
  const owner = { id, username, role: ROLES.user, group: 'default', settingsAreas: [], sessionHash: undefined }
  try {
    await createToken(deps, owner, api.NewToken.parse({ name: username, unlimited_quota: true }))
  } catch (error) {
    logEvent(deps.log, 'registration.default_token_failed', { err: error, userId: id })
  }
}

/** Without 0/O and 1/I/l, which look alike. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

export function newInviteCode(): string {
  return Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
